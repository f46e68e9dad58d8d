// @modelcontextprotocol/client, v2 of the TypeScript SDK: the older era by default, and the newer
// one when it may choose.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { proxy } from "./proxy.mjs";
import { exercise, reconnects } from "./typescript.mjs";

export const names = ["TypeScript SDK v2, legacy", "TypeScript SDK v2, auto"];

export async function run(name, check, at) {
  const mode = name.split(", ")[1];
  const network = await proxy(at.url);
  let changes = 0;
  const sdk = new Client(
    { name: "ts-v2", version: "1" },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes++ } },
    },
  );
  await sdk.connect(
    new StreamableHTTPClientTransport(new URL(network.url), {
      requestInit: { headers: { Authorization: `Bearer ${at.bearer}` } },
      reconnectionOptions: {
        initialReconnectionDelay: 100,
        maxReconnectionDelay: 500,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 20,
      },
    }),
  );
  await check("the version it settles on", () => {
    assert.equal(sdk.getNegotiatedProtocolVersion(), mode === "auto" ? "2026-07-28" : "2025-11-25");
  });
  const c = {
    changes: () => changes,
    list: async () => (await sdk.listTools()).tools,
    call: (tool, args, options) => sdk.callTool({ name: tool, arguments: args }, options),
    // A stream of the newer era that broke is the client's to open again.
    again: mode === "auto" ? () => sdk.listen({ toolsListChanged: true }) : undefined,
  };
  await exercise(check, at, c);
  await reconnects(check, at, c, network);
  await sdk.close();
  await network.close();
}
