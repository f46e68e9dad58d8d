// Settings against the real app: versions of installed agents, and a server of the person's own from
// the form to the agent, with its value nowhere but in its own file.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { atEnd } from "./cleanup.mjs";
import { api, closeBrowser, focused, inState, openPage, refuseOnce, snapshot } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const value = "S3NT-server-value";

// A third-party server that refuses everything and keeps a log of who asked.
async function thirdParty(t) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? "");
    response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => new Promise((done) => server.close(done)));
  return { asked, url: `http://127.0.0.1:${server.address().port}/mcp` };
}

function holding(home, text) {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)).includes(text))
    .map((entry) => entry.name);
}

async function openSettings(page, name) {
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("navigation").getByRole("button", { name, exact: true }).click();
  return dialog;
}

test("the version of an installed agent is shown, the command for a missing one is offered", async (t) => {
  const home = newHome(t);
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "gemini"), "#!/bin/sh\necho gemini 9.8.7\n");
  chmodSync(join(bin, "gemini"), 0o755);
  const app = await startApp(t, home, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const page = await openPage(t, app);
  await page.getByText("9.8.7").first().waitFor(); // the line of the first page
  const dialog = await openSettings(page, "Agents");
  await dialog.getByRole("row", { name: /Gemini.*9\.8\.7.*on PATH.*login not known/ }).waitFor();
  await dialog.getByRole("row", { name: /Qwen.*Not installed.*npm install -g/ }).waitFor();
  await dialog.getByRole("button", { name: "Gemini", exact: true }).press("Enter");
  await dialog.getByText("mcp_{server}_{tool}").waitFor();
  await dialog.getByText("Gemini CLI 0.61.0").waitFor();
});

test("a server is added with the keyboard, given to the agent at its next start, and its value kept apart", async (t) => {
  const foreign = await thirdParty(t);
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const dialog = await openSettings(page, "MCP servers");
  await dialog.getByText("No server yet").waitFor();
  await dialog.getByRole("button", { name: "Add server…" }).press("Enter");
  await dialog.getByLabel("Name", { exact: true }).fill(" KanDev");
  await dialog.getByLabel("Address").fill(foreign.url);
  await dialog.getByRole("button", { name: "Add header" }).press("Enter");
  await dialog.getByRole("group", { name: "Headers" }).getByLabel("Name").fill("Authorization");
  await dialog.getByLabel("Value of Authorization").fill(value);
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/kandev is reserved/)
    .waitFor();
  await dialog.getByLabel("Name", { exact: true }).first().fill("notes");
  await page.keyboard.press("Enter");
  await dialog.getByText("HTTP, 1 kept value").waitFor();
  assert.deepEqual(holding(home, value), ["secrets.json"]);
  assert.equal(statSync(join(home, "secrets.json")).mode & 0o777, 0o600);
  await dialog.getByRole("button", { name: "Edit notes" }).click();
  assert.equal(
    await dialog.getByLabel("Value of Authorization").inputValue(),
    "",
    "a value never comes back",
  );
  await page.keyboard.press("Escape");
  await dialog.getByText("HTTP, 1 kept value").waitFor();
  assert.deepEqual(foreign.asked, [], "nobody asks the server before an agent is given it");
  await page.keyboard.press("Escape");

  await api(page, "StopSession", id);
  await inState(page, "stopped", id);
  await api(page, "StartSession", id);
  await inState(page, "ready", id);
  await until("the agent to ask the server", async () => foreign.asked.includes(value));
  await page.keyboard.press("Control+Shift+M");
  const explorer = page.getByRole("dialog", { name: /MCP/ });
  await explorer.getByText("notes").first().click();
  await explorer
    .getByText(/Kandev does not connect to this server/)
    .first()
    .waitFor();
  assert.ok(!(await page.content()).includes(value));
});

test("pasted configuration: what was taken over, what not and why", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const dialog = await openSettings(page, "MCP servers");
  await dialog.getByRole("button", { name: "Import…" }).click();
  const text = dialog.getByLabel("Configuration as JSON");
  await text.fill("nothing");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog
    .getByRole("alert")
    .getByText(/No MCP servers were found/)
    .waitFor();
  await text.fill('{"servers":{"good":{"command":"npx","cwd":"/"},"kandev":{"command":"x"}},"inputs":[]}');
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("1 of 2 were taken over").waitFor();
  await dialog.getByText(/"cwd" is not known here/).waitFor();
  await dialog.getByText(/reserved/).waitFor();
  await dialog.getByText("Not read: inputs.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.getByRole("button", { name: "Remove good" }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await dialog.getByText("No server yet").waitFor();
});

test("an agent that Kandev tells nothing gets no preamble", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const dialog = await openSettings(page, "Agents");
  await dialog.getByRole("button", { name: "Toolbench", exact: true }).press("Enter");
  const tells = dialog.getByRole("switch", { name: "What Kandev tells it" });
  assert.equal(await tells.getAttribute("aria-checked"), "true");
  await tells.press("Space");
  await dialog.locator('[role="switch"][aria-checked="false"]').waitFor();
  await page.keyboard.press("Escape");
  await api(page, "Prompt", id, "list_tasks {}");
  const kinds = await until("the answer", async () => {
    const { items } = await api(page, "Transcript", id, 0);
    return items.some((item) => item.tool?.finished) && items.map((item) => item.kind);
  });
  assert.ok(!kinds.includes("preamble"), kinds.join());
  assert.deepEqual((await api(page, "Snapshot")).settings.preamble_off, ["toolbench"]);
});

test("storage: the size in all and by project; a project is deleted after a question", async (t) => {
  const folder = newHome(t);
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const { id: project, name } = await api(page, "AddProject", folder);
  const request = { project, agent: "toolbench", title: "", prompt: `echo ${"much ".repeat(20_000)}` };
  const session = await api(page, "NewSession", request);
  await inState(page, "ready", session);
  await api(page, "StopSession", session);
  const dialog = await openSettings(page, "Storage");
  await dialog.getByText("In all").waitFor();
  const row = dialog.getByRole("row", { name: new RegExp(`^${name} .*${folder} 1 `) });
  await until("its prompt to be counted", async () => {
    await dialog.getByRole("button", { name: "General" }).click();
    await dialog.getByRole("button", { name: "Storage" }).click();
    return /\d\d\d KiB/.test((await row.textContent()) ?? "");
  });
  await dialog.getByRole("button", { name: `Delete what is stored of ${name}` }).click();
  await dialog.getByText(`Delete all sessions and tasks of ${name}`).waitFor();
  await page.keyboard.press("Enter"); // Keep has the focus
  await row.waitFor();
  await page.keyboard.press("Enter"); // and gives it back
  await dialog.getByText(`Delete all sessions and tasks of ${name}`).waitFor();
  await page.keyboard.press("Escape"); // ends the question alone
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await row.waitFor({ state: "hidden" });
  assert.ok(!(await snapshot(page)).projects.some((one) => one.id === project));
});

test("storage: one deletion does not wait for another", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const slow = await api(page, "AddProject", newHome(t));
  const quick = await api(page, "AddProject", newHome(t));
  await page.evaluate((id) => {
    const remove = window.go.app.API.RemoveProject;
    window.go.app.API.RemoveProject = (token, project) =>
      project === id ? new Promise(() => {}) : remove(token, project);
  }, slow.id);
  const dialog = await openSettings(page, "Storage");
  for (const { name } of [slow, quick]) {
    await dialog.getByRole("button", { name: `Delete what is stored of ${name}` }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  }
  await until("the other to be gone", async () => {
    const left = (await snapshot(page)).projects.map(({ id }) => id);
    return left.includes(slow.id) && !left.includes(quick.id);
  });
});

test("storage that cannot be read says why, and is tried again", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await refuseOnce(page, "Storage", "The database is locked.");
  const dialog = await openSettings(page, "Storage");
  await dialog.getByText("The database is locked.").waitFor();
  await dialog.getByRole("button", { name: "Try again" }).press("Enter");
  await dialog.getByText("In all").waitFor();
  assert.equal(await focused(page), "Storage", "the button went, the focus did not");
});

test("the palette opens a page of the settings, with the focus on it", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("storage");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("heading", { name: "Storage" }).waitFor();
  assert.equal(await focused(page), "Storage");
  await page.keyboard.press("Escape");
  // A version belongs over the session, not in the list of sessions.
  const rail = page.getByRole("navigation", { name: "Project" });
  await rail
    .getByRole("button", { name: "ToolbenchReady" })
    .or(rail.getByRole("button", { name: "Toolbench Ready" }))
    .waitFor();
  await page
    .getByRole("main")
    .getByText(/^Toolbench \d/)
    .first()
    .waitFor();
});

test("the detail of the logs is a setting that counts at once", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const dialog = await openSettings(page, "General");
  await dialog.getByRole("button", { name: /^Logs/ }).click();
  await page.getByRole("menuitemradio", { name: "Everything" }).click();
  await until("it to be saved", async () => (await snapshot(page)).settings.log_level === "debug");
});
