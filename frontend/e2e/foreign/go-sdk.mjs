// The Go SDK: its client is in a Go test (backend/mcpserver/sdk_test.go), which here meets another
// process instead of its own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { here } from "./fixture.mjs";

export const names = ["Go SDK, newest", "Go SDK, 2025-11-25"];

export async function run(name, check, at) {
  const version = name.split(", ")[1];
  const child = spawn(
    join(here, "../../../build/tmp/mcp-fixture.test"),
    ["-test.run", "^TestForeignGoSDK$", "-test.v"],
    {
      env: {
        ...process.env,
        KANDEV_FOREIGN_URL: at.url,
        KANDEV_FOREIGN_BEARER: at.bearer,
        KANDEV_FOREIGN_VERSION: version === "newest" ? "" : version,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  const code = await new Promise((done) => child.once("close", done));
  for (const [, verdict, step] of out.matchAll(/--- (PASS|FAIL|SKIP): TestForeignGoSDK\/(\S+)/g)) {
    await check(step.replaceAll("_", " "), () => assert.equal(verdict, "PASS", out));
  }
  await check("all of it", () => assert(code === 0 && out.includes("--- PASS: TestForeignGoSDK/"), out));
}
