// An agent over ACP that wants a login, as small as one can be. What it was asked to log in by is a
// line of the file LOG; a login is the file ACCOUNT. It connects to no MCP server.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { LOG, ACCOUNT } = process.env;
const refused = (message) => ({ error: { code: -32000, message } });

const answers = {
  initialize: () => ({
    result: {
      protocolVersion: 1,
      agentInfo: { name: "auggie", version: "0.36.0" },
      agentCapabilities: {},
      authMethods: [
        { id: "browser", name: "Account" },
        { id: "never", name: "Endless" },
        { id: "bad", name: "Bad key" },
        { id: "console", name: "Console", type: "terminal", args: ["login", "--console"] },
        { id: "card", name: "Smart card", type: "card" },
      ],
    },
  }),
  authenticate: ({ methodId }) => {
    appendFileSync(LOG, `${methodId}\n`);
    if (methodId === "never") return undefined;
    if (methodId !== "browser") return refused("this key is not valid");
    writeFileSync(ACCOUNT, "an account\n");
    return { result: {} };
  },
  "session/new": () => (existsSync(ACCOUNT) ? { result: { sessionId: "s" } } : refused("log in first")),
  "session/prompt": () => ({ result: { stopReason: "end_turn" } }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = (answers[method] ?? (() => ({ error: { code: -32601, message: "method not found" } })))(
    params,
  );
  if (answer) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
