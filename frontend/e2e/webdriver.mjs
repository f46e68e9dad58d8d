// The real window through WebKitWebDriver: started with the shim, read by its text, driven by keys
// and clicks that WebKit itself takes for a person's.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./app.mjs";
import { until } from "./until.mjs";

const special = {
  Enter: "\ue007",
  Escape: "\ue00c",
  Tab: "\ue004",
  Space: " ",
  ArrowDown: "\ue015",
  ArrowUp: "\ue013",
};
const held = { Control: "\ue009", Shift: "\ue008" };

/**
 * Starts the binary in a window on a display and drives it. env must hold DISPLAY and KANDEV_HOME.
 * command starts the driver, where that is not simply there; home is the data folder as seen from here.
 */
export async function openWindow({
  binary,
  shim,
  env,
  command = ["WebKitWebDriver"],
  home = env.KANDEV_HOME,
}) {
  const port = await freePort();
  const driver = spawn(command[0], [...command.slice(1), `--port=${port}`], {
    env: { ...process.env, ...env, LD_PRELOAD: shim },
    stdio: "ignore",
  });
  const ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(20_000),
    });
    const { value } = await answer.json();
    if (value?.error) throw new Error(`${method} ${path}: ${value.message || value.error}`);
    return value;
  };
  await until("the driver", () => ask("GET", "/status").catch(() => false));
  const options = { "webkitgtk:browserOptions": { binary, args: [] } };
  const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch: options } });
  const path = `/session/${sessionId}`;
  const run = (script, ...args) => ask("POST", `${path}/execute/sync`, { script, args });
  return {
    /** The app's own process, by its lock file. */
    pid: Number(readFileSync(join(home, "lock"), "utf8")),
    run,
    /** Waits until the script returns something true; the answer is what it returned. */
    wait: (reason, script, ...args) => until(reason, () => run(script, ...args), 15_000),
    /** Clicks the first visible element whose role or tag and name match. */
    async click(selector, name) {
      const find = `const [selector, name] = arguments; return [...document.querySelectorAll(selector)].find((e) =>
        e.checkVisibility() && (e.getAttribute("aria-label") ?? e.textContent).trim().startsWith(name))`;
      const element = await until(`${selector} ${name}`, () => run(find, selector, name));
      await ask("POST", `${path}/element/${Object.values(element)[0]}/click`, {});
    },
    /** Presses keys such as "Control+Shift+m" or "Enter". */
    async press(keys) {
      const parts = keys.split("+");
      const last = parts.pop();
      const key = special[last] ?? last;
      const mods = parts.map((part) => held[part]);
      const actions = [
        ...mods.map((value) => ({ type: "keyDown", value })),
        { type: "keyDown", value: key },
        { type: "keyUp", value: key },
        ...mods.toReversed().map((value) => ({ type: "keyUp", value })),
      ];
      await ask("POST", `${path}/actions`, { actions: [{ type: "key", id: "keys", actions }] });
    },
    /** Types into what has the focus. */
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await ask("POST", `${path}/actions`, { actions: [{ type: "key", id: "keys", actions }] });
    },
    close: () => driver.kill("SIGKILL"),
  };
}
