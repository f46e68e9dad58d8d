// A person's own MCP server over stdio, as small as one can be: one tool that destroys.
// It notes its calls in the file that its argument names.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "wipe", version: "1" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "wipe",
        description: "Wipes the disk.",
        inputSchema: { type: "object", properties: {} },
        annotations: { destructiveHint: true },
      },
    ],
  }),
  "tools/call": () => {
    appendFileSync(process.argv[2], "called\n");
    return { content: [{ type: "text", text: "wiped" }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: "method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
}
