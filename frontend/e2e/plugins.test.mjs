// Plugins against the real app: the example from a file to an answer, and away again.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { connect } from "./mcp-client.mjs";
import { api, closeBrowser, counted, focused, inState, openPage, say, snapshot, talk } from "./page.mjs";
import { cleanUp, packExample } from "./plugin-file.mjs";
import { until } from "./until.mjs";

const served = "kandev_example_hello_hello";
let first;
let second;
before(() => {
  first = packExample();
  second = packExample((manifest) => ({
    ...manifest,
    version: "1.1.0",
    permissions: { ...manifest.permissions, hosts: ["api.example.com"] },
  }));
});
after(async () => {
  await closeBrowser();
  cleanUp([first, second].filter(Boolean));
});

const attachment = (page, id) => api(page, "Attachment", id);
const names = async (page, id) => (await attachment(page, id)).catalog?.entries.map((e) => e.served) ?? [];
const listed = (page, id, there) =>
  until(`the list to be served ${there ? "with" : "without"} the plugin's tool`, async () => {
    const list = await names(page, id);
    return list.length > 0 && list.includes(served) === there;
  });

// From the rail to the file, with the keyboard.
async function lookAt(page, path) {
  await page.getByRole("button", { name: "Plugins", exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Plugins" }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Install…" }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Install plugin" });
  await dialog.getByLabel("File").fill(path);
  await page.keyboard.press("Enter");
  return dialog;
}

async function install(page, path) {
  const dialog = await lookAt(page, path);
  await dialog.getByText("Installed off. You enable it on its page.").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
}

async function enable(page) {
  await page.getByRole("switch", { name: "Enabled" }).press("Space");
  const dialog = page.getByRole("dialog", { name: /^Enable / });
  await dialog.waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("switch", { name: "Enabled", checked: true }).waitFor();
}

async function backToSession(page) {
  await page
    .getByRole("navigation", { name: "Project" })
    .getByRole("button", { name: /^Toolbench/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Look around" }).waitFor();
}

test("the example: install, enable, call, explorer, disable, remove", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await counted(page, id);

  const dialog = await lookAt(page, first.zip);
  await dialog.getByText("No code of it has run.").waitFor();
  await dialog.getByRole("button", { name: `Details of ${served}` }).waitFor();
  await dialog.getByText(/^from its manifest; no code has run, ~\d+ tokens$/).waitFor();
  await dialog.getByText("No network").waitFor();
  await dialog.getByText("Memory: 32 MB").waitFor();
  await dialog.getByText("Time for a call: 5 s").waitFor();
  await dialog.getByText("Installed off. You enable it on its page.").waitFor();
  assert.deepEqual((await api(page, "Plugins")).plugins ?? [], [], "looking installs nothing");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const main = page.getByRole("main");
  await main.getByRole("option", { name: /Hello 1\.0\.0.*Not enabled yet/ }).waitFor();
  assert.ok(!(await names(page, id)).includes(served), "installed is not enabled");

  await main.getByLabel("Greeting").fill("Ahoy");
  await page.keyboard.press("Enter");
  await main.getByRole("status").getByText("Saved").waitFor();
  await enable(page);
  await listed(page, id, true);

  await backToSession(page);
  await say(page, `${served} {"name":"Ada"}`);
  await talk(page).getByText("Ahoy, Ada!").first().waitFor();
  await inState(page, "ready", id);
  await page.keyboard.press("Control+Shift+M");
  const explorer = page.getByRole("dialog", { name: /MCP/ });
  await explorer
    .getByRole("option", { name: new RegExp(served) })
    .or(explorer.getByText("hello", { exact: true }))
    .first()
    .click();
  await explorer
    .getByRole("region", { name: served })
    .or(explorer.getByRole("heading", { name: served }))
    .first()
    .waitFor();
  await explorer.getByText("Its plugin calls it").waitFor();
  await explorer.getByText("Hello (example.hello)").waitFor();
  await explorer.getByText("Greets somebody by name.").waitFor();
  await explorer.getByText("Who is greeted").waitFor();
  const entry = (await attachment(page, id)).catalog.entries.find((e) => e.served === served);
  assert.equal(entry.original, "hello");
  assert.ok(entry.estimate > 50, `estimate ${entry.estimate}`);
  await explorer.getByRole("button", { name: "Hello (example.hello)" }).click();

  await page.getByRole("switch", { name: "Enabled" }).press("Space");
  await listed(page, id, false);
  await main.getByRole("option", { name: /Disabled/ }).waitFor();
  await main.getByRole("row", { name: /hello.*Answered/ }).waitFor();

  await main.getByRole("button", { name: "Remove…" }).press("Enter");
  const removal = page.getByRole("dialog", { name: "Remove Hello?" });
  await removal.waitFor();
  await page.keyboard.press("Enter"); // the focus is on keeping it
  await removal.waitFor({ state: "hidden" });
  await main.getByRole("button", { name: "Remove…" }).press("Enter");
  await removal.getByRole("button", { name: "Remove", exact: true }).click();
  await main.getByText("No plugin yet.").waitFor();
  await until("the focus to be on what is left", async () => (await focused(page)) === "Install…");
  assert.deepEqual(
    readdirSync(join(home, "plugins"), { recursive: true }).filter((name) => name.endsWith(".wasm")),
    [],
  );
});

// A session of an agent that does nothing, so that a client of the test is the only one to hear and to ask.
async function silentSession(t) {
  const home = newHome(t);
  const bin = join(home, "bin");
  const file = join(home, "delivered.json");
  mkdirSync(bin);
  const agent = fileURLToPath(new URL("foreign/agent.mjs", import.meta.url));
  writeFileSync(join(bin, "opencode"), `#!/bin/sh\nexec "${process.execPath}" "${agent}" "${file}"\n`);
  chmodSync(join(bin, "opencode"), 0o755);
  const app = await startApp(t, home, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const page = await openPage(t, app);
  const [{ id: project }] = (await snapshot(page)).projects;
  const id = await api(page, "NewSession", { project, agent: "opencode", title: "Silent", prompt: "" });
  await until("the address to be delivered", async () => existsSync(file));
  const kandev = JSON.parse(readFileSync(file, "utf8")).find((server) => server.name === "kandev");
  const bearer = kandev.headers.find((h) => h.name === "Authorization").value.replace(/^Bearer /, "");
  return { page, id, client: await connect(t, { url: kandev.url, bearer }) };
}

test("one change is one list_changed; a list that was served before says what is gone", async (t) => {
  const { page, id, client } = await silentSession(t);
  await install(page, first.zip);
  assert.ok(!(await client.list()).includes(served));
  await enable(page);
  await until("the first notice", async () => client.changes() === 1);
  assert.ok((await client.list()).includes(served));
  assert.equal((await client.call(served, { name: "Ada" })).content[0].text, "Hello, Ada!");
  await listed(page, id, true);

  await page.getByRole("switch", { name: "Enabled" }).press("Space");
  await until("the second notice", async () => client.changes() === 2);
  const refused = await client.call(served, { name: "Ada" }).catch(String);
  assert.doesNotMatch(JSON.stringify(refused ?? ""), /Hello, Ada/, "a call is checked again");
  await page
    .getByRole("navigation", { name: "Project" })
    .getByRole("button", { name: /^(OpenCode|foreign)/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Silent" }).waitFor();
  await page.keyboard.press("Control+Shift+M");
  const explorer = page.getByRole("dialog", { name: /MCP/ });
  await explorer.getByText("Tools changed since this list was served.").first().waitFor();
  await explorer.getByText("hello", { exact: true }).first().click();
  await explorer.getByRole("heading", { name: "Hello (example.hello) is switched off" }).waitFor();
  if (process.env.KANDEV_SHOT) await page.screenshot({ path: process.env.KANDEV_SHOT });
  assert.ok(!(await client.list()).includes(served), "the next list is without it");
  await listed(page, id, false);
  await explorer.getByText("Hello (example.hello) is switched off").waitFor({ state: "hidden" });
  await new Promise((done) => setTimeout(done, 1000)); // long enough for a notice too many
  assert.equal(client.changes(), 2);
});

test("an update that asks for more is off until it is granted", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await install(page, first.zip);
  await enable(page);
  await listed(page, id, true);

  const dialog = await lookAt(page, second.zip);
  await dialog.getByRole("heading", { name: "From 1.0.0 to 1.1.0" }).waitFor();
  await dialog.getByText("It asks for more, so it is off until you grant that.").waitFor();
  await dialog.getByRole("listitem").filter({ hasText: "api.example.com" }).getByText("new").waitFor();
  await dialog.getByRole("button", { name: "Update" }).click();
  const grant = page.getByRole("dialog", { name: "Enable Hello?" });
  await grant.getByText("api.example.com").waitFor();
  await page.keyboard.press("Escape");
  await grant.waitFor({ state: "hidden" });
  const main = page.getByRole("main");
  await main.getByRole("option", { name: /Hello 1\.1\.0.*Asks for more/ }).waitFor();
  await listed(page, id, false);
  await main.getByRole("button", { name: "Look and grant…" }).press("Enter");
  await grant.getByRole("button", { name: "Grant and enable" }).press("Enter");
  await main.getByRole("row", { name: /Hosts/ }).getByText("api.example.com").nth(1).waitFor();
  await listed(page, id, true);
});

test("a bare module: its description runs once, hosts and secrets are the person's to add", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await inState(page, "ready");
  const dialog = await lookAt(page, first.module);
  await dialog.getByText(/its description was run once to learn its tools: in the sandbox/).waitFor();
  await dialog.getByText("Installed off. You enable it on its page.").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const main = page.getByRole("main");
  await main.getByText("0.0.0, module without a manifest").waitFor();
  await main.getByRole("button", { name: "Add setting" }).press("Enter");
  await main.getByLabel("Key").fill("greeting");
  await main.getByLabel("Secret").check();
  await main.getByLabel("Value", { exact: true }).fill("S3NT-plugin-value");
  await page.keyboard.press("Enter");
  await main.getByPlaceholder("Set. Type to replace it").waitFor();
  const holding = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => existsSync(file) && readFileSync(file).includes("S3NT-plugin-value"));
  assert.deepEqual(holding, [join(home, "secrets.json")]);
  assert.equal(statSync(holding[0]).mode & 0o777, 0o600);
  assert.ok(!(await page.content()).includes("S3NT-plugin-value"), "a secret never comes back");
  await page.getByRole("switch", { name: "Enabled" }).press("Space");
  const grant = page.getByRole("dialog", { name: /^Enable / });
  await grant.getByLabel("Hosts it may reach").fill("https://not.a.host/");
  await grant.getByRole("button", { name: "Grant and enable" }).click();
  await grant
    .getByRole("alert")
    .getByText(/https:\/\/not\.a\.host/)
    .waitFor();
  await grant.getByLabel("Hosts it may reach").fill("*.example.com\n");
  await grant.getByRole("button", { name: "Grant and enable" }).click();
  await grant.waitFor({ state: "hidden" });
  await main.getByRole("row", { name: /Hosts/ }).getByText("*.example.com").waitFor();

  // Another file of that name: a newer build is told as one, another module is refused.
  const other = join(home, "plugin.wasm");
  const bytes = readFileSync(first.module);
  const renamed = (from, to) => {
    const copy = Buffer.from(bytes);
    for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at);
    writeFileSync(other, copy);
  };
  renamed("Greets somebody by name.", "Greets someone by nickna");
  const newer = await lookAt(page, other);
  await newer.getByRole("heading", { name: "It takes the place of the installed module" }).waitFor();
  await newer.getByText("Changed tools: hello").waitFor();
  await newer.getByText("*.example.com").waitFor();
  await newer.getByText("It stays as it is: enabled.").waitFor();
  if (process.env.KANDEV_SHOTS) await page.screenshot({ path: `${process.env.KANDEV_SHOTS}/replaces.png` });
  await page.keyboard.press("Escape");
  await newer.waitFor({ state: "hidden" });
  renamed('"name": "hello"', '"name": "hallo"');
  const refused = await lookAt(page, other);
  await refused
    .getByRole("alert")
    .getByText(/another module is installed as "plugin", and this one has none of its tools \(hello\)/i)
    .waitFor();
  assert.ok(await refused.getByRole("button", { name: "Install", exact: true }).isDisabled());
  if (process.env.KANDEV_SHOTS) await page.screenshot({ path: `${process.env.KANDEV_SHOTS}/refused.png` });
});

test("dropped, with keys alone, at 640×400: everything is reached and nothing scrolls sideways", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app, { width: 640, height: 400, colorScheme: "dark" });
  await inState(page, "ready");
  const narrow = async (where) =>
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      0,
      `${where} at 640×400`,
    );
  await page.keyboard.press("Control+k");
  const drop = (file) =>
    page.evaluate((file) => window.runtime.EventsEmit("wails:file-drop", 9, 9, [file]), file);
  await drop(first.zip);
  const dialog = page.getByRole("dialog", { name: "Install plugin" });
  await dialog.getByText("Installed off. You enable it on its page.").waitFor();
  await narrow("the install dialog");
  if (process.env.KANDEV_SHOTS) await page.screenshot({ path: `${process.env.KANDEV_SHOTS}/drop.png` });
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 2, name: "Hello" }).waitFor();
  await narrow("the page");
  const stops = [];
  for (let n = 0; n < 20; n++) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
    if (stops.at(-1) === "Enabled") break;
  }
  assert.equal(stops.at(-1), "Enabled", stops.join(", "));
  await page.keyboard.press("Space");
  const grant = page.getByRole("dialog", { name: "Enable Hello?" });
  await grant.waitFor();
  assert.match(await focused(page), /^(Grant and enable|Enable)$/);
  await narrow("the enable dialog");
  if (process.env.KANDEV_SHOTS) await page.screenshot({ path: `${process.env.KANDEV_SHOTS}/enable.png` });
  await page.keyboard.press("Enter");
  await page.getByRole("switch", { name: "Enabled", checked: true }).waitFor();
  assert.equal(await focused(page), "Enabled", "the focus is back on the switch");
  for (const name of ["Update…", "Remove…", "Greeting", `Details of ${served}`, "Copy the sha256"]) {
    await until(`Tab to reach ${name}`, async () => {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => document.activeElement?.labels?.[0]?.textContent ?? "");
      return (await focused(page)).startsWith(name) || label.startsWith(name);
    });
    await narrow(name);
  }
});

test("a file that is no plugin is refused with a sentence, and nothing is installed", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const dialog = await lookAt(page, join(first.dir, "main.go"));
  await dialog
    .getByRole("alert")
    .getByText(/neither a \.zip with a plugin\.json nor a WebAssembly module/)
    .waitFor();
  await dialog.getByLabel("File").fill(join(first.dir, "gone.zip"));
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/gone\.zip|not found|no such file/i)
    .waitFor();
  assert.deepEqual((await api(page, "Plugins")).plugins ?? [], []);
});
