// `make foreign-app`: the same clients against the endpoint of the running app. An agent that does
// nothing (agent.mjs) receives address and bearer from it, as every agent does.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { newHome, startApp } from "../app.mjs";
import { api, closeBrowser, counted, openPage, snapshot } from "../page.mjs";
import { here } from "./fixture.mjs";
import { list } from "./inspector.mjs";
import { client as v1 } from "./ts-v1.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

/** The app with a session of our agent; { page, session, at } with at = { url, bearer }. */
async function session(t) {
  const home = newHome(t);
  const bin = join(home, "bin");
  const file = join(home, "delivered.json");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "opencode"),
    `#!/bin/sh\nexec "${process.execPath}" "${here}/agent.mjs" "${file}"\n`,
  );
  chmodSync(join(bin, "opencode"), 0o755);
  const app = await startApp(t, home, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const page = await openPage(t, app);
  const [{ id: project }] = (await snapshot(page)).projects;
  const id = await api(page, "NewSession", { project, agent: "opencode", title: "Foreign", prompt: "" });
  await until(() => existsSync(file));
  const kandev = JSON.parse(readFileSync(file, "utf8")).find((server) => server.name === "kandev");
  const bearer = kandev.headers.find((h) => h.name === "Authorization").value.replace(/^Bearer /, "");
  return { page, id, at: { url: kandev.url, bearer } };
}

const status = async (page, id) =>
  (await api(page, "Attachment", id)).attempts.at(-1).servers.find((s) => s.name === "kandev");

/** Asks a question and takes it back once the app shows it as open. */
async function asksAndCancels(page, id, call) {
  const stop = new AbortController();
  const asked = call(
    "ask_user_question_kandev",
    { questions: [{ prompt: "Which?", options: [{ label: "a" }, { label: "b" }] }] },
    { signal: stop.signal, timeout: 60_000 },
  );
  const open = async () => (await snapshot(page)).questions.filter((q) => q.session === id);
  await until(async () => (await open()).length === 1);
  stop.abort("enough");
  await assert.rejects(asked);
}

for (const mode of ["auto", "legacy"]) {
  test(`TypeScript SDK v2, ${mode}`, async (t) => {
    const { page, id, at } = await session(t);
    const sdk = new Client({ name: `foreign-${mode}`, version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { Authorization: `Bearer ${at.bearer}` } };
    await sdk.connect(new StreamableHTTPClientTransport(new URL(at.url), { requestInit }));
    const names = (await sdk.listTools()).tools.map((tool) => tool.name);
    assert(names.includes("list_tasks_kandev"), names.join());
    const call = (name, args, options) => sdk.callTool({ name, arguments: args }, options);
    assert.notEqual((await call("list_tasks_kandev", {})).isError, true);
    const attachment = await counted(page, id);
    assert.equal(attachment.catalog.total, names.length);
    const server = await status(page, id);
    assert.equal(server.status, "active");
    assert.equal(server.protocol, mode === "auto" ? "2026-07-28" : "2025-11-25");
    await asksAndCancels(page, id, call);
    await sdk.close();
  });
}

test("TypeScript SDK v1", async (t) => {
  const { page, id, at } = await session(t);
  const requestInit = { headers: { Authorization: `Bearer ${at.bearer}` } };
  const transport = new HttpV1(new URL(at.url), { requestInit });
  const c = await v1(transport);
  assert((await c.list()).some((tool) => tool.name === "list_tasks_kandev"));
  assert.notEqual((await c.call("list_tasks_kandev", {})).isError, true);
  await asksAndCancels(page, id, c.call);
  await transport.terminateSession();
  await until(async () => (await status(page, id)).status === "disconnected");
  await c.sdk.close();
});

test("MCP Inspector CLI", async (t) => {
  const { page, id, at } = await session(t);
  assert((await list(at)).some((tool) => tool.name === "list_tasks_kandev"));
  await counted(page, id);
});
