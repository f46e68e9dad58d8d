// @modelcontextprotocol/sdk, the TypeScript SDK that most clients are built on today.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { proxy } from "./proxy.mjs";
import { exercise, reconnects } from "./typescript.mjs";

/** A v1 client over a transport, in the form that exercise takes. */
export async function client(transport) {
  const sdk = new Client({ name: "ts-v1", version: "1" });
  let changes = 0;
  sdk.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes++;
  });
  await sdk.connect(transport);
  return {
    sdk,
    changes: () => changes,
    list: async () => (await sdk.listTools()).tools,
    call: (name, args, options) => sdk.callTool({ name, arguments: args }, undefined, options),
  };
}

export const names = ["TypeScript SDK v1, bearer in a header", "TypeScript SDK v1, bearer in the path"];

export async function run(name, check, at) {
  const inPath = name.endsWith("path");
  const network = await proxy(inPath ? `${at.url}/${at.bearer}` : at.url);
  const transport = new StreamableHTTPClientTransport(new URL(network.url), {
    requestInit: inPath ? {} : { headers: { Authorization: `Bearer ${at.bearer}` } },
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 20,
    },
  });
  const c = await client(transport);
  await exercise(check, at, c);
  await reconnects(check, at, c, network);
  await check("DELETE ends the session", async () => {
    await transport.terminateSession();
    await c.sdk.close();
  });
  await network.close();
}
