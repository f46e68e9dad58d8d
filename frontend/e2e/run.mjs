// `npm run e2e [-- NAME…]`: the window in Chromium against the real backend, on a virtual display.
//
// KANDEV_BIN   the dev-tagged binary; else build/bin/kandev-desktop-dev (`make build-dev`)
// KANDEV_DIST  the built front end; else frontend/dist
// NAME         only files whose name holds it, such as `kill`
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ready } from "./app.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs"))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  .map((name) => join(here, name));

const missing = ready();
if (missing !== "" || files.length === 0) {
  console.error(`e2e: ${missing || `no test is named ${wanted.join(" or ")}`}`);
  process.exit(1);
}
// Files run one after the other: two windows and two browsers are more than two cores can hurry.
const node = [
  process.execPath,
  "--test",
  "--test-reporter=spec",
  "--test-concurrency=1",
  "--test-timeout=180000", // of a file as a whole too; what a test waits for has limits of its own
  ...files,
];
const screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x900x24 -nolisten tcp"];
const [command, ...args] = process.env.DISPLAY ? node : [...screen, ...node];
const child = spawn(command, args, { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`e2e: ${command} does not start: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
