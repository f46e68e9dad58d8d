// MCP Inspector's command line: one process a request, so one connection each.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ask, here, node } from "./fixture.mjs";
import { until } from "./until.mjs";

export const names = ["MCP Inspector CLI"];

function start(at, ...args) {
  const child = spawn(
    node,
    [
      join(here, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
      "--cli",
      at.url,
      "--transport",
      "http",
      "--header",
      `Authorization: Bearer ${at.bearer}`,
      ...args,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return { child, ended: new Promise((done) => child.once("close", (code) => done({ code, out, err }))) };
}

const once = (at, ...args) => start(at, ...args).ended;

/** The tools of an endpoint. */
export async function list(at) {
  const { code, out, err } = await once(at, "--method", "tools/list");
  assert.equal(code, 0, out + err);
  return JSON.parse(out).tools;
}

export async function run(_, check, at) {
  await check("list", async () => {
    assert((await list(at)).some((tool) => tool.name === "echo"));
  });
  await check("call", async () => {
    const { code, out } = await once(
      at,
      "--method",
      "tools/call",
      "--tool-name",
      "echo",
      "--tool-arg",
      "a=b",
    );
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).content[0].text, '{"a":"b"}');
  });
  await check("a tool with progress", async () => {
    const { code, out } = await once(at, "--method", "tools/call", "--tool-name", "test_tool_with_progress");
    assert.equal(code, 0, out);
    assert.match(out, /"ok"/);
  });
  await check("an unknown tool is an error", async () => {
    const { code, out, err } = await once(at, "--method", "tools/call", "--tool-name", "no_such");
    assert.notEqual(code, 0);
    assert.match(out + err, /not found/);
  });
  await check("a wrong bearer is an error", async () => {
    const { code, out } = await once({ ...at, bearer: "wrong" }, "--method", "tools/list");
    assert.notEqual(code, 0, out);
  });
  await check("cancel: a client that ends ends its call", async () => {
    const count = async () => (await ask(at, "evidence")).split("wait_cancelled").length - 1;
    const before = await count();
    const calls = async () => (await ask(at, "calls")).trim();
    const { child, ended } = start(at, "--method", "tools/call", "--tool-name", "wait");
    await until(async () => Number(await calls()) > 1);
    child.kill("SIGKILL");
    await ended;
    await until(async () => (await count()) === before + 1);
  });
}
