// mcp-remote: a bridge that others wrote, for clients that only speak stdio; in both its modes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { here, node } from "./fixture.mjs";
import { proxy } from "./proxy.mjs";
import { client } from "./ts-v1.mjs";
import { exercise, reconnects } from "./typescript.mjs";

export const names = ["mcp-remote, legacy", "mcp-remote, auto"];

// What mcp-remote 0.15.1 does not do itself in the newer era.
const limits = {
  cancel:
    "it sends notifications/cancelled, which 2026-07-28 does not know over HTTP, and leaves the call open",
  reconnect: "it does not open its subscriptions/listen again",
};

export async function run(name, check, at) {
  const network = await proxy(at.url);
  const home = mkdtempSync(join(tmpdir(), "mcp-remote-"));
  const transport = new StdioClientTransport({
    command: node,
    args: [
      join(here, "node_modules/mcp-remote/dist/proxy.js"),
      network.url,
      "--header",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in
      "Authorization:${KANDEV_AUTH}",
      "--transport",
      "http-only",
      "--protocol",
      name.split(", ")[1],
    ],
    env: { ...process.env, KANDEV_AUTH: `Bearer ${at.bearer}`, MCP_REMOTE_CONFIG_DIR: home },
    stderr: process.env.VERBOSE ? "inherit" : "ignore",
  });
  const c = await client(transport);
  const cannot = name.endsWith("auto") ? limits : {};
  await exercise(check, at, c, cannot);
  await reconnects(check, at, c, network, cannot);
  await c.sdk.close();
  await network.close();
  rmSync(home, { recursive: true, force: true });
}
