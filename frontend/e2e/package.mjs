// The installed package in a clean system that is a folder here: `node e2e/package.mjs ROOT use|again`, as root, for
// build/try-deb.sh. "use" starts it from its desktop file, does the main job and quits; "again" looks for what was
// done, with another version. Pictures go to build/proof/deb.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { allGone, descendants } from "./processes.mjs";
import { until } from "./until.mjs";
import { openWindow } from "./webdriver.mjs";

const [root, part] = process.argv.slice(2);
const here = fileURLToPath(new URL("../..", import.meta.url));
const proof = join(here, "build/proof/deb");
const home = join(root, "home/ada/.local/share/kandev-desktop/data");
const undo = [];
const inside = [
  "chroot",
  "--userspec=ada",
  root,
  "env",
  "-i",
  "PATH=/usr/bin:/bin",
  "HOME=/home/ada",
  "LANG=C.UTF-8",
];
// Xvfb looks for a free number itself and says it on its fourth stream. Without -noreset it shuts the door for a
// moment whenever its last client goes, and the first one here only asks whether it is up.
const screen = spawn(
  "Xvfb",
  ["-displayfd", "3", "-screen", "0", "1320x920x24", "-nolisten", "tcp", "-ac", "-noreset"],
  {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  },
);
undo.push(() => screen.kill("SIGKILL"));
const display = `:${String(await new Promise((said) => screen.stdio[3].once("data", said))).trim()}`;
const person = [...inside, `DISPLAY=${display}`, "KANDEV_KEYCHAIN=off", "SHELL=/bin/sh"];
const outside = { env: { ...process.env, DISPLAY: display }, stdio: "ignore" };

function start(command, ...args) {
  const child = spawn(command, args, outside);
  undo.push(() => child.kill("SIGKILL"));
  return child;
}

async function picture(name) {
  await wait(400); // what moves has come to rest
  execFileSync("import", ["-window", "root", join(proof, `${name}.png`)], outside);
}

// Exec of the desktop file, found as a launcher finds it.
function program() {
  const entry = readFileSync(join(root, "usr/share/applications/kandev-desktop.desktop"), "utf8");
  const [, name] = /^Exec=(\S+)$/m.exec(entry);
  return execFileSync(inside[0], [...inside.slice(1), "sh", "-c", `command -v ${name}`])
    .toString()
    .trim();
}

function windows() {
  return spawnSync("wmctrl", ["-l"], { ...outside, stdio: ["ignore", "pipe", "ignore"] }).stdout.toString();
}

const appPid = () => Number(readFileSync(join(home, "lock"), "utf8"));

// From the menu: the desktop file, through GTK's own launcher; then the window manager's cross.
async function fromTheMenu() {
  spawn(person[0], [...person.slice(1), "gtk-launch", "kandev-desktop"], { ...outside, stdio: "inherit" });
  await until("the window", () => windows().includes("Kandev Desktop"), 60_000);
  const pid = await until("the lock", appPid);
  undo.push(() => spawnSync("kill", ["-9", String(pid)]));
  await wait(3000); // the first page
  await picture("from-the-menu");
  const below = descendants(pid);
  execFileSync("wmctrl", ["-c", "Kandev Desktop"], outside);
  await picture("quit-question");
  process.kill(pid, "SIGTERM");
  await allGone([pid, ...below]);
}

async function drive() {
  const window = await openWindow({
    binary: program(),
    shim: "/tmp/window-shim.so",
    env: { DISPLAY: display, KANDEV_HOME: home },
    command: [...person, "LD_PRELOAD=/tmp/window-shim.so", "WebKitWebDriver"],
    home,
  });
  undo.push(() => window.close());
  undo.push(() => spawnSync("kill", ["-9", String(window.pid)]));
  return window;
}

const shows = (window, text) =>
  window.wait(`"${text}" to be shown`, "return document.body.innerText.includes(arguments[0])", text);

async function quit(window) {
  const below = descendants(window.pid);
  process.kill(window.pid, "SIGTERM");
  await allGone([window.pid, ...below]);
  window.close();
}

async function use() {
  await fromTheMenu();
  const window = await drive();
  await shows(window, "Start again"); // the session of the first start
  await window.click("main button", "Start again");
  await window.wait(
    "the session to be ready",
    "return [...document.querySelectorAll('main [role=status]')].some((e) => e.textContent.trim() === 'Ready')",
  );
  await window.run("document.getElementById('composer').focus()");
  await window.type('create_task {"title": "Made in the package"}');
  await window.press("Control+Enter");
  await shows(window, "Output");
  await picture("tool-call");
  await window.press("Control+Shift+m");
  await shows(window, "Tools loaded");
  await picture("explorer");
  await quit(window);
}

async function again() {
  const window = await drive();
  await shows(window, "Made in the package");
  await window.run("document.activeElement?.blur()");
  await window.click("button", "Settings");
  await shows(window, "0.2.0");
  await picture("after-the-upgrade");
  assert.equal(await window.run("return document.body.innerText.includes('did not end in order')"), false);
  await quit(window);
}

try {
  mkdirSync(proof, { recursive: true });
  const flags = execFileSync("pkg-config", ["--cflags", "--libs", "webkit2gtk-4.1"])
    .toString()
    .trim()
    .split(/\s+/);
  const shim = join(root, "tmp/window-shim.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, join(here, "frontend/e2e/window-shim.c"), ...flags]);
  await until("the display", () => spawnSync("xdotool", ["getdisplaygeometry"], outside).status === 0);
  start("openbox");
  await (part === "use" ? use() : again());
  console.log(
    `package: ${part === "use" ? "started from its desktop file, main job done" : "what was done is there"}`,
  );
} catch (error) {
  await picture("failed").catch(() => {});
  throw error;
} finally {
  for (const act of undo.reverse()) act();
}
