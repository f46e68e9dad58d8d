// A database that is broken, newer, read-only or locked: a sentence, and the rest goes on.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { atEnd } from "./cleanup.mjs";
import { api, closeBrowser, inState, openPage, say, snapshot } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

// A data folder that the app has used and left in order.
async function used(t) {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await app.quit();
  await page.context().close();
  return { home, id, file: join(home, "kandev.db") };
}

const notices = (page) => page.getByRole("region", { name: "Notices" });

test("half a database: kept beside, a new one begun, the broken one deleted on demand", async (t) => {
  const { home, file } = await used(t);
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const broken = readFileSync(file);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await notices(page).getByText("The database could not be read.").waitFor();
  const asides = () => readdirSync(home).filter((name) => name.includes(".broken-"));
  assert.equal(asides().length, 1);
  assert.deepEqual(readFileSync(join(home, asides()[0])), broken, "kept as it was");
  const row = await inState(page, "ready");
  await say(page, "list_tasks {}");
  await inState(page, "ready", row.id);
  await notices(page).getByRole("button", { name: "Delete the broken file" }).waitFor();
  await app.quit();
  await page.context().close();

  // A later start does not tell of it again, and its size and its end are in the settings.
  const later = await openPage(t, await startApp(t, home));
  await later.getByRole("button", { name: "Settings" }).click();
  const settings = later.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("button", { name: "Storage", exact: true }).click();
  await settings.getByText(asides()[0]).waitFor();
  const remove = settings.getByRole("button", { name: "Delete the databases that could not be read" });
  await remove.press("Enter");
  await settings.getByText("Delete these databases for good?").waitFor();
  await later.keyboard.press("Escape"); // ends the question alone
  await later.keyboard.press("Enter"); // what asked has the focus again
  await settings.getByText("Delete these databases for good?").waitFor();
  assert.equal(asides().length, 1);
  await settings.getByRole("button", { name: "Delete", exact: true }).click();
  await until("the broken file to be gone", () => asides().length === 0);
  await remove.waitFor({ state: "hidden" });
});

test("the broken database is deleted where it is told of", async (t) => {
  const { home, file } = await used(t);
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const page = await openPage(t, await startApp(t, home));
  const kept = () => readdirSync(home).some((name) => name.includes(".broken-"));
  await notices(page).getByRole("button", { name: "Delete the broken file" }).press("Enter");
  await notices(page).getByText("Delete the broken file for good?").waitFor();
  await page.keyboard.press("Enter"); // Keep has the focus
  await notices(page).getByText("Delete the broken file for good?").waitFor({ state: "hidden" });
  await page.keyboard.press("Enter"); // and gives it back
  assert.ok(kept());
  await notices(page).getByRole("button", { name: "Delete", exact: true }).click();
  await until("it to be gone", () => !kept());
  await notices(page).getByText("The database could not be read.").waitFor({ state: "hidden" });
});

test("a newer database: left alone, the window works in memory and says so", async (t) => {
  const { home, file } = await used(t);
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.from([0, 0, 0, 99]), 0, 4, 60); // user_version in SQLite's header
  closeSync(handle);
  const before = readFileSync(file);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await notices(page)
    .getByText(/written by a newer Kandev.*Nothing is saved/)
    .waitFor();
  await inState(page, "ready");
  await say(page, "list_tasks {}");
  await inState(page, "ready");
  await app.quit();
  assert.deepEqual(readFileSync(file), before);
});

test("a locked database while the agent works: said, then healed", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const file = join(app.home, "kandev.db");
  const lock = spawn("sqlite3", [file], { stdio: ["pipe", "pipe", "inherit"] });
  atEnd(t, () => lock.kill("SIGKILL"));
  lock.stdin.write(".timeout 3000\nBEGIN EXCLUSIVE;\n.system echo locked\n"); // its own output would wait for the end
  await new Promise((done) => lock.stdout.once("data", done));
  await say(page, 'create_task {"title": "while it was locked"}');
  await inState(page, "ready", id);
  await until("the window to have it", async () =>
    (await snapshot(page)).tasks.some((task) => task.title === "while it was locked"),
  );
  await notices(page).getByText("another program holds the database").waitFor({ timeout: 8000 });
  lock.stdin.end("ROLLBACK;\n.quit\n");
  await notices(page)
    .getByText("another program holds the database")
    .waitFor({ state: "hidden", timeout: 5000 });
  const stored = execFileSync("sqlite3", [
    "-readonly",
    file,
    "SELECT count(*) FROM task WHERE title = 'while it was locked'",
  ]);
  assert.equal(String(stored).trim(), "1");
  assert.equal((await api(page, "Storage")).memory ?? false, false);
});

test("a database that may not be written: shown, in memory, and saved once it may", async (t) => {
  const { home, id, file } = await used(t);
  try {
    execFileSync("chattr", ["+i", file], { stdio: "ignore" });
  } catch {
    t.skip("this file system knows no immutable files, or we are not root");
    return;
  }
  atEnd(t, () => execFileSync("chattr", ["-i", file]));
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const banner = notices(page).getByText(/cannot be written to.*Nothing is saved/);
  await banner.waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await inState(page, "ready", id);
  await say(page, 'create_task {"title": "while it could not be written"}');
  await inState(page, "ready", id);
  execFileSync("chattr", ["-i", file]);
  await banner.waitFor({ state: "hidden" });
  assert.equal((await api(page, "Storage")).memory ?? false, false);
  await app.quit();
  const stored = execFileSync("sqlite3", [file, "SELECT title FROM task ORDER BY seq"]);
  assert.equal(String(stored).trim().split("\n").at(-1), "while it could not be written");
});

test("a data folder on a read-only disk: the window works in memory and says so", async (t) => {
  const home = newHome(t);
  const mount = (...args) => execFileSync("mount", args, { stdio: "ignore" });
  try {
    mount("-t", "tmpfs", "-o", "size=4m", "kandev-e2e", home);
  } catch {
    t.skip("nothing can be mounted here");
    return;
  }
  atEnd(t, () => execFileSync("umount", [home]));
  mount("-o", "remount,ro", home);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await notices(page)
    .getByText(/cannot be written to.*Nothing is saved/)
    .waitFor();
  assert.equal(await app.quit(), 0);
});
