// Closing the window while agents run, and ending in order. Wails' own Quit goes the way of a
// click on the window's cross: it asks the app first.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { atEnd } from "./cleanup.mjs";
import { api, closeBrowser, inState, openBrowser, openPage, snapshot } from "./page.mjs";
import { allGone, commandOf, descendants } from "./processes.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const close = (page) => page.evaluate(() => window.runtime.Quit());

test("closing with a live agent asks every time: keep keeps, quit quits", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await close(page);
  const question = page.getByRole("dialog", { name: "Quit and stop 1 agent?" });
  await question.getByText("Toolbench").waitFor();
  await question.getByRole("button", { name: "Keep running" }).click();
  await question.waitFor({ state: "hidden" });
  assert.equal((await snapshot(page)).sessions[0].state, "ready");

  await close(page);
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  assert.equal(app.code, undefined, "it runs on");

  const below = descendants(app.pid);
  await close(page);
  await question.getByRole("button", { name: "Quit and stop 1 agent" }).click();
  assert.equal(await app.ended(), 0);
  await allGone(below);
  assert.doesNotMatch(app.stderr, /panic|not everything was saved/);
});

test("a window whose view has failed can be closed, and asks", async (t) => {
  const app = await startApp(t, newHome(t));
  const context = await (await openBrowser()).newContext();
  atEnd(t, () => context.close());
  const page = await context.newPage();
  await page.addInitScript(() => {
    const broken = setInterval(() => {
      const api = window.go?.app?.API;
      if (!api) return;
      clearInterval(broken);
      const item = { number: 1, revision: 1, kind: "message", text: 5, at: 0, updated_at: 0 };
      api.Transcript = async (_, session) => ({ session, revision: 99, more: false, items: [item] });
    }, 1);
  });
  await page.goto(app.url);
  await page.getByText("Something in the window went wrong").waitFor();
  await close(page);
  const question = page.getByRole("dialog", { name: "Quit and stop 1 agent?" });
  await question.getByRole("button", { name: "Keep running" }).click();
  await question.waitFor({ state: "hidden" });
  await close(page);
  await question.getByRole("button", { name: "Quit and stop 1 agent" }).click();
  assert.equal(await app.ended(), 0);
});

test("closing without a live agent ends at once; the next start shows stopped sessions", async (t) => {
  const home = newHome(t);
  let app = await startApp(t, home);
  let page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await api(page, "StopSession", id);
  await close(page);
  assert.equal(await app.ended(), 0);
  app = await startApp(t, home);
  page = await openPage(t, app);
  await inState(page, "stopped", id);
  await page.getByRole("button", { name: "Start again" }).waitFor();
});

test("a signal ends the app without a question, and the login shell that is still asked", async (t) => {
  const home = newHome(t);
  const shell = join(home, "shell");
  writeFileSync(shell, "#!/bin/sh\nsleep 60 & wait\n", { mode: 0o700 });
  const app = await startApp(t, home, { env: { SHELL: shell } });
  const page = await openPage(t, app);
  await inState(page, "ready");
  const asked = () => descendants(app.pid).some((pid) => commandOf(pid).includes(shell));
  await until("the shell to be asked", asked);
  const below = descendants(app.pid);
  assert.equal(await app.quit(), 0, app.stderr);
  await allGone(below);
});

test("a signal asks nobody, also while no page is there and an agent lives", async (t) => {
  // Of two who act on one signal either may be first: one run proves little.
  for (let n = 0; n < 5; n++) {
    const app = await startApp(t, newHome(t));
    await until("the agent to run", () => descendants(app.pid).some((pid) => / agent$/.test(commandOf(pid))));
    const below = descendants(app.pid);
    assert.equal(await app.quit(), 0, app.stderr);
    await allGone(below);
  }
});
