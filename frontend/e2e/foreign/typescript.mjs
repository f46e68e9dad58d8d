// What every client of a TypeScript SDK must manage, v1 and v2, over HTTP and over stdio.
import assert from "node:assert/strict";
import { ask } from "./fixture.mjs";
import { until } from "./until.mjs";

const text = (result) => result.content[0].text;
const cancelled = async (at) => (await ask(at, "evidence")).split("wait_cancelled").length - 1;

/**
 * Runs all that a connected client can be asked.
 * c.changes() counts the list_changed it heard; c.call takes SDK options with signal and onprogress.
 * cannot names what the client itself is not able to do, and why.
 */
export async function exercise(check, at, c, cannot = {}) {
  await check("list", async () => {
    const names = (await c.list()).map((tool) => tool.name);
    assert(names.includes("echo") && names.includes("wait"), names.join());
  });
  await check("call", async () => {
    assert.deepEqual(JSON.parse(text(await c.call("echo", { a: [1, "<ü>"] }))), { a: [1, "<ü>"] });
  });
  await check("a tool's error is a result", async () => {
    assert.equal((await c.call("test_error_handling", {})).isError, true);
  });
  await check("an unknown tool is an error", () => assert.rejects(c.call("no_such", {}), /not found/));
  await check("the session lives on", async () => {
    assert.equal(text(await c.call("echo", {})), "{}");
  });
  await check("progress", async () => {
    const heard = [];
    await c.call("test_tool_with_progress", {}, { onprogress: (p) => heard.push(p.progress) });
    assert.deepEqual(heard, [1, 2, 3]);
  });
  await check(
    "cancel",
    cannot.cancel ??
      (async () => {
        const before = await cancelled(at);
        const stop = new AbortController();
        const call = c.call("wait", {}, { signal: stop.signal, timeout: 600_000 });
        setTimeout(() => stop.abort("enough"), 300);
        await assert.rejects(call);
        await until(async () => (await cancelled(at)) === before + 1);
      }),
  );
  await check("list_changed", async () => {
    const before = c.changes();
    const added = await ask(at, "test_trigger_tool_change");
    await until(() => c.changes() > before);
    assert((await c.list()).some((tool) => tool.name === added));
  });
}

/** The network breaks, the tools change meanwhile, and the client hears of it in the end. */
export async function reconnects(check, at, c, network, cannot = {}) {
  await check(
    "reconnect: nothing is lost with a stream",
    cannot.reconnect ??
      (async () => {
        const before = c.changes();
        network.cut();
        const added = await ask(at, "test_trigger_tool_change");
        await c.again?.();
        assert.equal(text(await c.call("echo", {})), "{}");
        await until(() => c.changes() > before);
        assert((await c.list()).some((tool) => tool.name === added));
      }),
  );
}
