// A conversation of 20,000 rows: opened at its end, streamed into, scrolled through.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage, talk } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const rows = 20_000;
const agentFile = fileURLToPath(new URL("acp-agent.mjs", import.meta.url));

// Prompts, answers, calls, and 800 permissions that were answered long ago.
const fill = (id) => `
BEGIN;
DELETE FROM transcript WHERE session = '${id}';
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
INSERT INTO transcript SELECT '${id}', i, i,
  CASE WHEN i % 20 = 1 THEN 'prompt' WHEN i % 25 = 3 THEN 'permission' WHEN i % 2 THEN 'message' ELSE 'tool' END,
  CASE WHEN i % 20 = 1 OR i % 2 AND i % 25 <> 3 THEN 'Row ' || i || ' with **some** words of an answer.' ELSE '' END,
  CASE WHEN i % 20 <> 1 AND i % 25 = 3 THEN 'perm_' || i ELSE '' END,
  CASE WHEN i % 20 = 1 OR i % 25 = 3 OR i % 2 THEN NULL ELSE json_object('call_id', 'c' || i, 'title', 'Read ' || i,
    'kind', 'read', 'status', 'completed', 'output', replace(hex(zeroblob(60)), '00', 'a line' || char(10)),
    'started', '2026-11-30T10:00:00Z', 'finished', '2026-11-30T10:00:01Z') END,
  NULL, NULL, 0, '2026-11-30T10:00:00.000000000Z', '2026-11-30T10:00:00.000000000Z' FROM n;
INSERT INTO permission SELECT ref, session, 'c', 'Read a file', 'read', NULL, '[]', 'selected', 'yes', '', 0, at, at
  FROM transcript WHERE kind = 'permission' AND session = '${id}';
UPDATE session SET revision = ${rows} WHERE id = '${id}';
COMMIT;`;

async function long(t) {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { project } = await inState(page, "ready");
  const line = `"${process.execPath}" "${agentFile}"`;
  await api(page, "SaveCustomAgent", { id: "", name: "Long", line, bearer: "header", env: [] });
  const agent = (await api(page, "Agents")).find((one) => one.name === "Long").id;
  const id = await api(page, "NewSession", { project, agent, title: "Long", prompt: "" });
  await inState(page, "ready", id);
  await app.quit();
  await page.context().close();
  execFileSync("sqlite3", [join(home, "kandev.db")], { input: fill(id) });
  return { home, id };
}

test("20,000 rows: the newest is shown, only cards in sight are pulled, and it streams on", async (t) => {
  const { home, id } = await long(t);
  const page = await openPage(t, await startApp(t, home));
  await page.evaluate(() => {
    globalThis.cards = 0;
    const permission = window.go.app.API.Permission;
    window.go.app.API.Permission = (...args) => {
      globalThis.cards++;
      return permission(...args);
    };
  });
  await page.getByRole("button", { name: "Long" }).first().click();
  await talk(page)
    .getByText(`Row ${rows - 1} `)
    .waitFor({ timeout: 30_000 });
  assert.ok((await page.evaluate(() => globalThis.cards)) < 20, "cards that nobody sees are pulled");
  assert.ok((await talk(page).locator(".talk-row").count()) < 80, "rows that nobody sees are drawn");

  await page.getByRole("button", { name: "Start again" }).click();
  await inState(page, "ready", id);
  await api(page, "Prompt", id, "stream 50");
  await talk(page).getByText("streamed 50").waitFor();

  // With the keys alone: to the top at once, and back by End or by the button, which goes.
  const left = () => talk(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  const toEnd = page.getByRole("button", { name: "To the end" });
  for (const back of ["End", "button"]) {
    await talk(page).press("Home");
    await talk(page).getByText("Row 1 with").waitFor();
    assert.equal(await talk(page).evaluate((log) => log.scrollTop), 0);
    await (back === "End" ? talk(page).press("End") : toEnd.press("Enter"));
    await toEnd.waitFor({ state: "hidden" });
    await until("the end", async () => (await left()) < 2);
    assert.equal(await page.evaluate(() => document.activeElement.role), "log");
  }

  // Up, to a card that was out of sight: its content comes then.
  await talk(page).hover();
  await page.mouse.wheel(0, -3000);
  await talk(page)
    .getByRole("region", { name: /^Answered/ })
    .first()
    .waitFor();
});
