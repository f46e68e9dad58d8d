// The main job in the real window: the production binary on a virtual display with a window
// manager, driven as a person would, killed with SIGKILL, started again. `node e2e/window.mjs`.
// Pictures of every step go to build/proof. Wants Xvfb, openbox, wmctrl, imagemagick, xdotool,
// gcc with webkit2gtk-4.1 and WebKitWebDriver (Debian: webkit2gtk-driver).
//
// KANDEV_PROD  the production binary; else build/bin/kandev-desktop
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cleanUp, packExample } from "./plugin-file.mjs";
import { allGone, descendants } from "./processes.mjs";
import { until } from "./until.mjs";
import { openWindow } from "./webdriver.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const binary = resolve(process.env.KANDEV_PROD ?? join(root, "build/bin/kandev-desktop"));
const proof = join(root, "build/proof");
const work = mkdtempSync(join(tmpdir(), "kandev-window-"));
const undo = [() => rmSync(work, { recursive: true, force: true })];
const home = join(work, "home");
const shim = join(work, "shim.so");
const display = `:${90 + (process.pid % 400)}`;
const env = { DISPLAY: display, KANDEV_HOME: home, SHELL: "/bin/sh", WAYLAND_DISPLAY: "" };

let step = 0;
// A picture of the screen, window frame and all.
async function picture(name) {
  await wait(400); // what moves has come to rest
  const file = join(proof, `${String(++step).padStart(2, "0")}-${name}.png`);
  execFileSync("import", ["-window", "root", file], { env: { ...process.env, ...env } });
  console.log(`${name}: ${file}`);
}

function start(command, ...args) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: "ignore" });
  undo.push(() => child.kill("SIGKILL"));
}

async function open() {
  const window = await openWindow({ binary, shim, env });
  undo.push(() => {
    window.close();
    try {
      process.kill(window.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  });
  return window;
}

const shows = (window, text) =>
  window.wait(`"${text}" to be shown`, "return document.body.innerText.includes(arguments[0])", text);

const state = (window, word) =>
  window.wait(
    `the state ${word}`,
    "return [...document.querySelectorAll('main [role=status]')].some((e) => e.textContent.trim() === arguments[0])",
    word,
  );

async function say(window, text) {
  await window.run("document.getElementById('composer').focus()");
  await window.type(text);
  await window.press("Control+Enter");
  await window.wait("the prompt to be taken", "return document.getElementById('composer').value === ''");
}

// The catalog as the bound API answers it, as text; `live` may differ.
const catalog = (window) =>
  window.run(`
    window.answer ??= (async () => {
      const { token } = await (await fetch("/kandev/token", { headers: { "X-Kandev-Page": "1" } })).json();
      const api = window.go.app.API;
      const { sessions } = await api.Snapshot(token);
      const { live, ...rest } = await api.Attachment(token, sessions[0].id);
      return JSON.stringify(rest.catalog);
    })().then((text) => { window.catalogText = text; });
    return window.catalogText ?? "";`);

async function first() {
  const window = await open();
  await state(window, "Ready");
  await shows(window, "served 5 tools");
  await picture("first-run");
  await say(window, "tools");
  await state(window, "Ready");
  await picture("tools");
  await say(window, 'list_tasks {"limit": 10}');
  await shows(window, "Output");
  await picture("call");
  await say(
    window,
    'ask_user_question {"context":"The release is on Friday.","questions":[{"prompt":"Which branch?","options":[{"label":"main","description":"as it is now"},{"label":"release","description":"with the two fixes"}]}]}',
  );
  await shows(window, "asks a question");
  await picture("question");
  await window.run("document.querySelector('.ask[data-open]').focus()");
  await window.press("Tab");
  await window.press("Space");
  await window.press("ArrowDown");
  await window.press("Control+Enter");
  await shows(window, "Answered");
  await state(window, "Ready");
  await picture("answered");
  await window.press("Control+Shift+m");
  await shows(window, "Tools loaded");
  await picture("explorer");
  await window.press("Enter");
  await shows(window, "Arguments");
  await picture("tool");
  await window.press("r");
  await picture("schema");
  for (let n = 0; n < 2; n++) await window.press("Escape");
  await plugin(window);
  const before = await until("the catalog", () => catalog(window));
  await closing(window);
  await say(window, 'ask_user_question {"questions":[{"prompt":"Still there?"}]}');
  await shows(window, "Still there?");
  await wait(400); // what is stored is at most a quarter of a second behind
  return { window, before };
}

// The example from a drop to an answer, then back at the session.
async function plugin(window) {
  const packed = packExample();
  undo.push(() => cleanUp([packed]));
  // What the system's own drop ends in.
  await window.run(`window.runtime.EventsEmit("wails:file-drop", 9, 9, [arguments[0]])`, packed.zip);
  await shows(window, "No code of it has run.");
  await picture("plugin-install");
  await window.press("Enter");
  await shows(window, "Not enabled yet");
  await window.run("document.getElementById('plugin-switch').focus()");
  await window.press("Space");
  await shows(window, "You grant");
  await picture("plugin-enable");
  await window.press("Enter");
  await window.wait(
    "the switch",
    "return document.getElementById('plugin-switch').getAttribute('aria-checked') === 'true'",
  );
  await picture("plugin-page");
  await window.click(".rail .session", "Toolbench");
  await state(window, "Ready");
  await say(window, 'kandev_example_hello_hello {"name":"Ada"}');
  await shows(window, "Hello, Ada!");
  await state(window, "Ready");
  await picture("plugin-call");
}

// The window manager's cross asks first.
async function closing(window) {
  execFileSync("wmctrl", ["-c", "Kandev Desktop"], { env: { ...process.env, ...env } });
  await shows(window, "Quit and stop 1 agent");
  await picture("quit-question");
  await window.press("Escape");
}

async function main() {
  rmSync(proof, { recursive: true, force: true });
  mkdirSync(proof, { recursive: true });
  const flags = execFileSync("pkg-config", ["--cflags", "--libs", "webkit2gtk-4.1"])
    .toString()
    .trim()
    .split(/\s+/);
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, join(root, "frontend/e2e/window-shim.c"), ...flags]);
  start("Xvfb", display, "-screen", "0", "1320x920x24", "-nolisten", "tcp", "-noreset");
  await until("the display", () => {
    try {
      execFileSync("xdotool", ["getdisplaygeometry"], { env: { ...process.env, ...env }, stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
  start("openbox");
  const { window, before } = await first();
  const below = descendants(window.pid);
  process.kill(window.pid, "SIGKILL");
  await allGone(below);
  window.close();
  console.log(`killed ${window.pid}: ${below.length} descendants gone`);

  const again = await open();
  await shows(again, "Start again");
  await shows(again, "Still there?"); // the conversation is back
  await picture("interrupted");
  assert.equal(await until("the catalog", () => catalog(again)), before, "the same catalog after kill -9");
  await again.press("Control+Shift+m");
  await shows(again, "Last observed");
  await picture("last-observed");
  await again.press("Escape");
  await again.click("main button", "Start again");
  await state(again, "Ready");
  await again.press("Control+Shift+m");
  await shows(again, "Earlier attempts");
  await picture("new-attempt");
  console.log("the main job was seen in the real window");
}

try {
  await main();
} finally {
  for (const act of undo.reverse()) act();
}
