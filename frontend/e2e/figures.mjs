// `npm run figures`: what the window promises, measured. Appends `name value unit` lines to the file
// that KANDEV_FIGURES names. Wants the dev-tagged binary and a display, like `npm run e2e`.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { newHome, startApp } from "./app.mjs";
import { listToPaint, measureOpen } from "./explorer-open.mjs";
import { api, closeBrowser, counted, inState, openPage, snapshot } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const file = process.env.KANDEV_FIGURES;
const runs = 50;

function append(name, value, unit) {
  appendFileSync(file, `${name} ${Number(value.toFixed(1))} ${unit}\n`);
}

test("explorer_open_ms: from the click to the painted rows of a full catalog", { skip: !file }, async () => {
  const rounds = [];
  for (let n = 0; n < 3; n++) rounds.push(await measureOpen());
  append("explorer_open_ms", Math.min(...rounds.map((round) => round.explorer_open_ms)), "ms");
  append("explorer_open_thread_ms", Math.min(...rounds.map((round) => round.explorer_open_thread_ms)), "ms");
});

// One list more in a session that is at rest, with the explorer open on it: naming the task takes
// set_task_title away, the client is told, asks again, and is served. The clock starts with the
// time that the endpoint gave the served list.
async function once(page, project) {
  const id = await api(page, "NewSession", { project, agent: "toolbench", title: "", prompt: "" });
  await inState(page, "ready", id);
  const before = await counted(page, id);
  const rail = page.getByRole("navigation", { name: "Project" });
  await rail
    .getByRole("button", { name: /^Toolbench/ })
    .and(page.locator(":not([aria-current])")) // the sample's session is open
    .click();
  await page.keyboard.press("Control+Shift+M");
  await page.getByRole("dialog", { name: "MCP servers" }).getByRole("option").first().waitFor();
  await wait(1500); // the attachment is at rest: its share of events is whole again
  const painted = listToPaint(page, {
    since: 0,
    revision: before.catalog_rev + 1,
    tools: before.catalog.total - 1,
  });
  await api(page, "RenameSession", id, `Measured ${id}`);
  const at = await painted;
  const listed = (await counted(page, id)).attempts.at(-1).servers[0].times.listed;
  await page.keyboard.press("Escape");
  await api(page, "DeleteSession", id);
  await until("the session to leave the rail", async () => (await snapshot(page)).sessions.length === 1);
  return at - listed;
}

test("list_to_paint_ms_p95: from the served list to the painted explorer", { skip: !file }, async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const project = (await snapshot(page)).projects[0].id;
  const measured = [];
  for (let n = 0; n < runs; n++) measured.push(await once(page, project));
  measured.sort((a, b) => a - b);
  assert.equal(measured.length, runs);
  append("list_to_paint_ms_p50", measured[Math.floor(runs * 0.5)], "ms");
  append("list_to_paint_ms_p95", measured[Math.ceil(runs * 0.95) - 1], "ms");
});
