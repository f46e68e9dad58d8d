// Values that are not stored but asked for at each start, and the folder of a session, in the window.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const value = "S3NT-typed-value";
const server = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));

function holding(home, text) {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)).includes(text))
    .map((entry) => entry.name);
}

async function restart(page, id) {
  await api(page, "StopSession", id);
  await inState(page, "stopped", id);
  await api(page, "StartSession", id);
}

test("switched on, values are asked for at each start: given, and not given", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await api(page, "SaveOwnServer", {
    ...{ id: "", agent: "toolbench", name: "wipe", transport: "stdio", url: "", headers: [], off: false },
    command: process.execPath,
    args: [server, join(home, "calls")],
    env: [{ name: "WIPE_KEY", value: "S3NT-stored-value", keep: false }],
  });
  assert.deepEqual(holding(home, "S3NT-stored-value"), ["secrets.json"]);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("navigation").getByRole("button", { name: "MCP servers", exact: true }).click();
  await settings.getByText("1 kept value").waitFor();
  await settings.getByRole("switch", { name: /Do not store values/ }).press("Space");
  await settings.getByRole("button", { name: "Forget them" }).press("Enter");
  await settings.getByText("asks for 1 value").waitFor();
  await settings.getByText("Values are not stored.").waitFor();
  assert.deepEqual(holding(home, "S3NT-stored-value"), []);
  await settings.getByRole("button", { name: "Edit wipe" }).click();
  assert.ok(await settings.getByLabel("Value of WIPE_KEY").isDisabled());
  await page.keyboard.press("Escape");
  await settings.getByText("asks for 1 value").waitFor();
  await page.keyboard.press("Escape");

  await restart(page, id);
  const dialog = page.getByRole("dialog", { name: /Values for Toolbench/ });
  await dialog.getByLabel("wipe WIPE_KEY").fill(value);
  await page.keyboard.press("Enter");
  await inState(page, "ready", id);
  await until("the server to be there", async () => {
    const { attempts } = await api(page, "Attachment", id);
    return attempts.at(-1).servers.some((one) => one.name === "wipe" && one.status === "delivered");
  });
  assert.deepEqual(holding(home, value), []);
  assert.ok(!(await page.content()).includes(value));

  await restart(page, id);
  await dialog.getByLabel("wipe WIPE_KEY").waitFor();
  await page.keyboard.press("Escape");
  await inState(page, "ready", id);
  await page.keyboard.press("Control+Shift+M");
  const explorer = page.getByRole("dialog", { name: /MCP/ });
  await explorer.getByText("wipe").first().click();
  await explorer
    .getByText("The value of WIPE_KEY is not stored, and was not given at this start.")
    .first()
    .waitFor();
});

test("a session's folder opens in the file manager, from its menu and from the bar", async (t) => {
  const home = newHome(t);
  const bin = join(home, "bin");
  const opened = join(home, "opened");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
  const app = await startApp(t, home, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const { folder } = await api(page, "Place", id);
  const lines = () => (existsSync(opened) ? readFileSync(opened, "utf8").trim().split("\n") : []);
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Open folder" }).click();
  await until("the file manager", () => lines().length === 1);
  await page.getByTitle("Open folder").press("Enter");
  await until("the file manager again", () => lines().length === 2);
  assert.deepEqual(lines(), [folder, folder]);
});
