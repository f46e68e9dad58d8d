// kill -9 while the agent runs: nothing is left running, and what was observed is there again.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, counted, inState, openPage, say, shows, snapshot } from "./page.mjs";
import { allGone, commandOf, descendants } from "./processes.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const question = 'ask_user_question {"questions":[{"prompt":"Still there?"}]}';

// The Attachment answer as text, but for `live`, which may differ.
async function bytes(page, id) {
  const { live, ...rest } = await api(page, "Attachment", id);
  assert.equal(typeof live, "boolean");
  return JSON.stringify(rest);
}

test("kill -9 with a running agent: no descendant, the same catalog, then a new attempt", async (t) => {
  const home = newHome(t);
  let app = await startApp(t, home);
  let page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await counted(page, id);
  await say(page, "list_tasks {}");
  await until("the call to be counted", async () => (await api(page, "Attachment", id)).uses?.length === 1);
  await inState(page, "ready");
  const before = await bytes(page, id);
  await page.reload();
  await shows(page, "Ready");
  assert.equal(await bytes(page, id), before, "after a reload of the page");

  // The agent is in the middle of a turn. What the last quarter of a second brought may be lost.
  await say(page, question);
  await page.getByRole("region", { name: /asks a question/ }).waitFor();
  await until("the evidence to be settled", async () => {
    const now = await bytes(page, id);
    await page.waitForTimeout(300);
    return now === (await bytes(page, id));
  });
  const last = await bytes(page, id);
  const below = descendants(app.pid);
  const agents = below.filter((pid) => / (agent|guard)( |$)/.test(commandOf(pid)));
  assert.ok(agents.length > 0, "the agent runs below the app");
  await app.kill();
  await allGone(below);
  await assert.rejects(fetch(app.url), "the port is free");

  app = await startApp(t, home);
  page = await openPage(t, app);
  await shows(page, "Interrupted");
  const after = await api(page, "Attachment", id);
  assert.equal(after.live, false);
  assert.equal(await bytes(page, id), last, "after the restart");
  assert.equal((await snapshot(page)).questions.length, 0, "no question waits any more");
  await page.getByRole("region", { name: /asks a question: Cancelled/ }).waitFor();

  await page.getByRole("button", { name: "Start again" }).click();
  await shows(page, "Ready");
  const now = await counted(page, id);
  assert.equal(now.live, true);
  assert.deepEqual(
    now.attempts.map((attempt) => attempt.reason),
    ["new", "restart"],
    "a new attempt",
  );
  assert.deepEqual(now.uses ?? [], [], "the calls went with their attempt");
  const old = now.attempts[0];
  assert.equal(old.superseded_by, now.attempts[1].id);
  assert.equal(old.end_reason, "interrupted");
  assert.ok(old.ended_at < now.attempts[1].started_at, "it ended when it was last seen");
  assert.equal(old.servers[0].tool_count, 5);
  assert.ok(old.servers[0].tokens_total > 0);
  assert.doesNotMatch(JSON.stringify(old), /ask_user|schema|"desc/, "the old attempt has counts only");
});
