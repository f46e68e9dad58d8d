// A permission request of the agent, answered with keys alone: for a tool of a person's own server
// that destroys, in the real app.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, focused, inState, openPage, say } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

// A session whose agent has a server with a tool that destroys and writes into `log` that it was called.
async function withDisk(t) {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const log = join(home, "calls");
  await api(page, "SaveOwnServer", {
    id: "",
    agent: "toolbench",
    name: "disk",
    transport: "stdio",
    url: "",
    command: process.execPath,
    args: [fileURLToPath(new URL("stdio-server.mjs", import.meta.url)), log],
    env: [],
    headers: [],
    off: false,
  });
  await api(page, "StopSession", id);
  await api(page, "StartSession", id);
  await inState(page, "ready", id);
  return { page, id, log, card: page.getByRole("region", { name: /^Toolbench.* asks/ }) };
}

// Cases 87 and 88.
test("a permission card: every option by Tab, the choice by its number, nothing done before", async (t) => {
  const { page, id, log, card } = await withDisk(t);
  await say(page, "wipe {}");
  await card.waitFor();
  const names = await card.getByRole("button").allTextContents();
  assert.equal(names.length, 3, names.join());
  await card.focus();
  const stops = [];
  for (let n = 0; n < names.length + 3; n++) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
  }
  assert.deepEqual(
    stops.filter((stop) => names.includes(stop)),
    names,
  );
  assert.ok(!existsSync(log), "nothing is called before the answer");

  // By number: the last one rejects, and the call is not made.
  await card.focus();
  await page.keyboard.press("3");
  await inState(page, "ready", id);
  assert.ok(!existsSync(log), "a rejected call was made");

  await say(page, "wipe {}");
  await page.getByRole("region", { name: /^Toolbench.* asks/ }).focus();
  await page.keyboard.press("1");
  await until("the call", async () => existsSync(log) && readFileSync(log, "utf8") === "called\n");
  await inState(page, "ready", id);
});

// Case 87: what lies over the card, another view and a reload leave the request open, and no key that a
// person goes on typing with allows anything.
test("a permission that is open stays so, and is never given by a key meant for something else", async (t) => {
  const { page, id, log, card } = await withDisk(t);
  await say(page, "wipe {}");
  await card.waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await page.keyboard.press("Control+Shift+M");
  const explorer = page.getByRole("dialog", { name: /MCP/ });
  await explorer.waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Escape");
  await explorer.waitFor({ state: "hidden" });
  await card.waitFor();
  await page.getByRole("button", { name: "Plugins", exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Plugins" }).waitFor();
  await page.keyboard.press("1");
  await page
    .getByRole("navigation", { name: "Project" })
    .getByRole("button", { name: /^Toolbench/ })
    .first()
    .click();
  await card.waitFor();
  await page.reload();
  await card.waitFor();
  assert.equal(await card.getByRole("button").count(), 3, "all its options are there after a reload");
  await page.keyboard.press("Enter");
  assert.equal((await inState(page, "working", id)).waiting, 1, "it is still open");
  assert.ok(!existsSync(log), "nothing was allowed");
  await card.focus();
  await page.keyboard.press("3");
  await inState(page, "ready", id);
  assert.ok(!existsSync(log));
});
