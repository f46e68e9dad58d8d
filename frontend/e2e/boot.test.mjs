// The window comes up while things happen: two windows, reloads in the middle, many reloads.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { atEnd } from "./cleanup.mjs";
import { api, closeBrowser, inState, openPage, say, shows, snapshot, talk } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

test("two windows show the same, whoever acts", async (t) => {
  const app = await startApp(t, newHome(t));
  const one = await openPage(t, app);
  const two = await openPage(t, app);
  await inState(one, "ready");
  await say(one, "list_tasks {}");
  await talk(two)
    .getByRole("button", { name: /list_tasks.*Done/ })
    .waitFor();
  await say(two, 'ask_user_question {"questions":[{"prompt":"Both?"}]}');
  for (const page of [one, two]) await page.getByRole("region", { name: /asks a question/ }).waitFor();
  await one.getByRole("textbox", { name: "Your answer" }).fill("yes, both");
  await one.keyboard.press("Control+Enter");
  await two
    .getByRole("region", { name: /: Answered/ })
    .getByText("yes, both")
    .waitFor();
  for (const page of [one, two]) await shows(page, "Ready");
});

test("a reload while the agent answers ends in the same conversation", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  for (let n = 0; n < 4; n++) {
    await inState(page, "ready");
    await say(page, n % 2 ? "tools" : "schema ask_user_question");
    await page.reload();
  }
  await inState(page, "ready");
  await shows(page, "Ready");
  const items = async () => (await api(page, "Transcript", id, 0)).items;
  assert.equal((await items()).filter((item) => item.kind === "prompt").length, 4);
  const last = (await items()).at(-1).text.trim().split("\n").at(-1).replace(/[`|*]/g, "").trim();
  await until("the end of the answer to be shown", async () =>
    (await talk(page).textContent()).replace(/\s+/g, " ").includes(last.replace(/\s+/g, " ").slice(-30)),
  );
});

test("twenty reloads under a stream of events, none lost at the end", async (t) => {
  const app = await startApp(t, newHome(t));
  const busy = await openPage(t, app);
  const page = await openPage(t, app);
  const { id } = await inState(busy, "ready");
  let n = 0;
  let on = true;
  atEnd(t, () => {
    on = false;
  });
  const stream = (async () => {
    while (on) await api(busy, "RenameSession", id, `Title ${++n}`);
  })();
  for (let i = 0; i < 20; i++) {
    await page.reload({ waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: /^Title \d+$/ }).waitFor();
  }
  on = false;
  await stream;
  const title = `Title ${n}`;
  assert.equal((await snapshot(page)).tasks[0].title, title);
  for (const shown of [page, busy])
    await shown.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  assert.equal(await page.getByText("Reconnecting").count(), 0);
});
