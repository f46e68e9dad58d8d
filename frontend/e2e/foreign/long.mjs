// `make long-calls`: one call of KANDEV_LONG_CALLS (20m), held by clients that others wrote. What
// would end it: 60 s without progress in the SDKs, 300 s without headers in Node.
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { build, serve } from "./fixture.mjs";
import { client } from "./ts-v1.mjs";

const [, amount, unit] = /^(\d+)(s|m)$/.exec(process.env.KANDEV_LONG_CALLS ?? "20m");
const seconds = amount * (unit === "m" ? 60 : 1);

build();
const at = await serve();
const requestInit = { headers: { Authorization: `Bearer ${at.bearer}` } };
const url = () => new URL(at.url);

async function v2(mode) {
  const sdk = new ClientV2({ name: "long", version: "1" }, { versionNegotiation: { mode } });
  await sdk.connect(new HttpV2(url(), { requestInit }));
  return (args, options) => sdk.callTool({ name: "wait", arguments: args }, options);
}

async function v1() {
  const c = await client(new StreamableHTTPClientTransport(url(), { requestInit }));
  return (args, options) => c.call("wait", args, options);
}

const clients = {
  "TypeScript SDK v1": v1,
  "TypeScript SDK v2, legacy": () => v2("legacy"),
  "TypeScript SDK v2, auto": () => v2("auto"),
};
let failed = 0;
await Promise.all(
  Object.entries(clients).map(async ([name, open]) => {
    const began = Date.now();
    let heard = 0;
    try {
      const call = await open();
      const onprogress = () => {
        heard++;
      };
      const result = await call({ seconds }, { onprogress, resetTimeoutOnProgress: true });
      if (result.content[0].text !== "waited") throw new Error(JSON.stringify(result));
      console.log(`  ok      ${name}: ${Math.round((Date.now() - began) / 1000)} s, progress ${heard} times`);
    } catch (error) {
      failed++;
      console.log(`  NOT OK  ${name} after ${Math.round((Date.now() - began) / 1000)} s: ${error.message}`);
    }
  }),
);
await at.stop();
console.log(`long calls: ${Object.keys(clients).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
