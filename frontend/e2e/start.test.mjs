// Starts that end in a sentence, or in the window that is open already.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { binary, newHome, startApp } from "./app.mjs";
import { atEnd } from "./cleanup.mjs";
import { closeBrowser, inState, openPage } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

// Runs the binary to its end.
function run(env) {
  const began = Date.now();
  const child = spawn(binary, [], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  return new Promise((done) => {
    child.on("close", (code) => done({ code, said, took: Date.now() - began }));
  });
}

test("a second start with the same data folder leaves it to the first", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const second = await run({ KANDEV_HOME: app.home });
  assert.deepEqual({ code: second.code, said: second.said }, { code: 0, said: "" });
  await inState(page, "ready");
});

test("two starts at the same moment: one window, and the other ends well", async (t) => {
  const home = newHome(t);
  const apps = await Promise.all([1, 2].map(() => startApp(t, home, { serves: false })));
  await until("one of them to end", () => apps.some((app) => app.code !== undefined), 20_000);
  const [ended, runs] = apps[0].code === undefined ? [apps[1], apps[0]] : apps;
  assert.deepEqual({ code: ended.code, said: ended.stderr }, { code: 0, said: "" });
  await until("its page to be served", async () => (await fetch(runs.url).catch(() => null))?.ok);
  await inState(await openPage(t, runs), "ready");
});

test("a second start while the first hangs: a sentence with its pid", async (t) => {
  const app = await startApp(t, newHome(t));
  process.kill(app.pid, "SIGSTOP");
  atEnd(t, () => process.kill(app.pid, "SIGCONT"));
  const second = await run({ KANDEV_HOME: app.home });
  assert.equal(second.code, 1);
  assert.match(second.said, new RegExp(`^kandev-desktop: .*process ${app.pid}\\..*\\n$`));
  assert.ok(second.took < 4000, `it took ${second.took} ms`);
});

test("no display, or a dead one: one sentence, no panic", async (t) => {
  for (const display of ["", ":4711"]) {
    const { code, said } = await run({
      DISPLAY: display,
      WAYLAND_DISPLAY: "",
      KANDEV_HOME: newHome(t),
      devserver: "127.0.0.1:0",
    });
    assert.equal(code, 1);
    assert.doesNotMatch(said, /panic|goroutine/);
    assert.match(said, /^kandev-desktop: no display: .*$/m);
  }
});

test("a data folder that cannot be made: one sentence", async (t) => {
  const file = join(newHome(t), "file");
  writeFileSync(file, "");
  const { code, said } = await run({ KANDEV_HOME: join(file, "data") });
  assert.equal(code, 1);
  assert.match(said, /^kandev-desktop: .*KANDEV_HOME\.\n$/);
});

test("the data folder is the person's alone", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const open = readdirSync(app.home, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0 && !lstatSync(path).isSymbolicLink());
  assert.deepEqual(open, []);
});
