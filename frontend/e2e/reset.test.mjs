// A context that is reset, and a session in a worktree of its own.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage, snapshot, talk } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const menu = async (page, item) => {
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("reset: the conversation stays, the agent is given its tools anew", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const session = await inState(page, "ready");
  await menu(page, "Reset context");
  await talk(page).getByText("The agent's context was reset").waitFor();
  await inState(page, "ready");
  const attempts = async () => (await api(page, "Attachment", session.id)).attempts.map((a) => a.reason);
  await until("a second attempt", async () => (await attempts()).at(-1) === "reset");
  await menu(page, "Stop the agent");
  await inState(page, "stopped");
  await menu(page, "Reset context");
  await inState(page, "ready");
});

test("a session in a worktree: its own folder, named in the bar", async (t) => {
  const folder = join(newHome(t), "repository");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "a");
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
      cwd: folder,
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await api(page, "AddProject", folder);
  await page.getByRole("button", { name: "New session" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByRole("button", { name: "Project" }).first().click();
  await page.getByRole("menuitemradio", { name: "repository" }).click();
  await dialog.getByRole("button", { name: "Works" }).click();
  await page.getByRole("menuitemradio", { name: "In a git worktree of its own" }).click();
  if (process.env.KANDEV_SHOT) await page.screenshot({ path: process.env.KANDEV_SHOT });
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.getByText("in a worktree").first().waitFor();
  const session = (await snapshot(page)).sessions.find((s) => s.executor === "worktree");
  await inState(page, "ready", session.id);
  const place = await api(page, "Place", session.id);
  assert.ok(
    place.exists && place.own && !place.dirty && place.branch === `kandev/${session.id}`,
    JSON.stringify(place),
  );
  assert.notEqual(place.folder, folder);

  // Work in it keeps it; without, it goes when it is asked for.
  await menu(page, "Stop the agent");
  await inState(page, "stopped", session.id);
  const work = join(place.folder, "b.txt");
  writeFileSync(work, "b");
  await menu(page, "Remove the worktree");
  await page.getByText("The worktree has changes that are in no commit").waitFor();
  assert.ok(existsSync(work));
  rmSync(work);
  await menu(page, "Remove the worktree");
  await until("the worktree to be gone", async () => !(await api(page, "Place", session.id)).exists);
  assert.ok(!existsSync(place.folder));
});
