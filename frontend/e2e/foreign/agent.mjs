// An agent that does nothing but keep what the app delivers to it: the address of the MCP server
// and its bearer, which reach an agent over ACP and nobody else. Its argument is where to.
import { renameSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file] = process.argv.slice(2);
const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "foreign", version: "1" },
    agentCapabilities: { mcpCapabilities: { http: true } },
    authMethods: [],
  }),
  "session/new": ({ mcpServers }) => {
    writeFileSync(`${file}.new`, JSON.stringify(mcpServers), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return { sessionId: "s1" };
  },
  "session/prompt": () => ({ stopReason: "end_turn" }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const known = answers[method];
  const rest = known
    ? { result: known(params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
});
