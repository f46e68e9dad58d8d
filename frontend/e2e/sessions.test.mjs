// Projects and sessions: made, renamed, archived, deleted.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { binary, newHome, startApp } from "./app.mjs";
import { api, closeBrowser, focused, inState, openPage, refuseOnce, say, shows, snapshot } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

test("a new session in a folder with spaces and unicode; a missing folder is a sentence", async (t) => {
  const folder = join(newHome(t), "Käse und 日本 – „notes“ 100%");
  mkdirSync(folder);
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await page.getByRole("button", { name: "New session" }).first().click();
  const create = page.getByRole("dialog", { name: "New session" });
  await create.getByRole("button", { name: "Add project…" }).click();
  const add = page.getByRole("dialog", { name: "Add project" });
  const path = add.getByRole("textbox", { name: "Folder" });
  await path.fill(`${folder}/not there`);
  await page.keyboard.press("Enter");
  await add
    .getByRole("alert")
    .getByText(/^Not a folder that can be opened: .*\.$/)
    .waitFor();
  await path.fill(folder);
  await page.keyboard.press("Enter");
  await add.waitFor({ state: "hidden" });

  await page.keyboard.press("Escape"); // whatever is on top; the letter belongs to the window then
  await page.getByRole("button", { name: "New session" }).first().click();
  await create.getByRole("textbox", { name: "Title" }).fill("Ordner lesen");
  await page.keyboard.press("Enter");
  await create.waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "Ordner lesen" }).waitFor();
  await shows(page, "Ready");
  const made = (await snapshot(page)).projects.find((p) => p.path.endsWith("100%"));
  assert.equal(made.path, folder);

  // The folder vanishes: said, its session kept; then the project leaves the list.
  rmSync(folder, { recursive: true });
  await api(page, "CheckProjects");
  await page.getByText("is not there. Its sessions are kept.").waitFor();
  const remove = page.getByRole("main").getByRole("button", { name: "Remove" });
  const question = page.getByRole("dialog", { name: /^Remove Käse/ });
  const yes = question.getByRole("button", { name: "Remove" });
  await remove.click();
  await question.getByText("1 session and 1 task are removed for good").waitFor();
  await question.getByText("1 running agent must be stopped first").waitFor();
  assert.ok(await yes.isDisabled());
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Stop the agent" }).click();
  await shows(page, "Stopped");

  // Choosing its folder again brings it back, with its session.
  mkdirSync(`${folder} moved`);
  await page.getByRole("main").getByRole("button", { name: "Choose again" }).click();
  const again = page.getByRole("dialog", { name: /^Folder of Käse/ });
  await again.getByRole("textbox", { name: "Folder" }).fill(`${folder} moved`);
  await page.keyboard.press("Enter");
  await again.waitFor({ state: "hidden" });
  await page.getByText("is not there. Its sessions are kept.").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Start again" }).click();
  await shows(page, "Ready");
  assert.equal((await snapshot(page)).projects.find((p) => p.id === made.id).path, `${folder} moved`);
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Stop the agent" }).click();
  await shows(page, "Stopped");

  const menu = page.getByRole("navigation", { name: "Project" }).getByRole("button").first();
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove from the list" }).click();
  await question.getByRole("button", { name: "Keep" }).press("Enter"); // it has the focus
  await question.waitFor({ state: "hidden" });
  const from = await menu.textContent();
  await until("the focus to be back where it came from", async () => (await focused(page)) === from);
  assert.equal((await snapshot(page)).projects.length, 2);
  // What is refused once is not said again when it is asked anew.
  await refuseOnce(page, "RemoveProject", "The disk is full.");
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove from the list" }).click();
  await yes.click();
  await question.getByText("The disk is full.").waitFor();
  await page.keyboard.press("Escape");
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove from the list" }).click();
  await question.getByText("1 session and 1 task are removed for good").waitFor();
  assert.equal(await question.getByText("The disk is full.").count(), 0);
  await yes.click();
  await until("the project to be gone", async () => (await snapshot(page)).projects.length === 1);
  await page.getByText("Ordner lesen").first().waitFor({ state: "hidden" });
});

test("what was typed for a new session stays while a project is added, and until it is started", async (t) => {
  const folder = newHome(t);
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const open = page.getByRole("button", { name: "New session" }).first();
  const create = page.getByRole("dialog", { name: "New session" });
  const prompt = create.getByRole("textbox", { name: "First prompt" });
  await open.click();
  await prompt.fill("tools");
  await page.keyboard.press("Escape");
  await open.click();
  assert.equal(await prompt.inputValue(), "tools");
  await create.getByRole("button", { name: "Add project…" }).click();
  await page.getByRole("textbox", { name: "Folder" }).fill(folder);
  await page.keyboard.press("Enter");
  await create.waitFor();
  assert.equal(await prompt.inputValue(), "tools");
  await prompt.press("Control+Enter");
  await create.waitFor({ state: "hidden" });
  await shows(page, "Ready");
  await open.click();
  assert.equal(await prompt.inputValue(), "");
});

test("a prompt for an agent that cannot start waits in the conversation, and goes out when it can", async (t) => {
  const home = newHome(t);
  const program = join(newHome(t), "run");
  let app = await startApp(t, home);
  let page = await openPage(t, app);
  const { project } = await inState(page, "ready");
  const bearer = "header";
  await api(page, "SaveCustomAgent", { id: "", name: "Late", line: `${program} agent`, bearer, env: [] });
  const agent = (await api(page, "Agents")).find((one) => one.name === "Late").id;
  const request = { project, agent, title: "", prompt: "list_tasks {}" };
  const session = await api(page, "NewSession", request);
  await inState(page, "failed", session);
  const waits = () =>
    page
      .getByRole("article")
      .filter({ hasText: "list_tasks {}" })
      .getByText("it goes to the agent with the next start");
  await page.getByRole("button", { name: /^Late/ }).click();
  await waits().waitFor();
  await app.quit();
  await page.context().close();

  app = await startApp(t, home);
  page = await openPage(t, app);
  await page.getByRole("button", { name: /^Late/ }).click();
  await waits().waitFor();
  symlinkSync(binary, program); // the embedded agent by another name
  await page.getByRole("button", { name: "Start again" }).click();
  await page.getByRole("log").getByText("list_tasks").first().waitFor();
  await waits().waitFor({ state: "hidden" });
  await inState(page, "ready", session);
  const { items } = await api(page, "Transcript", session, 0);
  assert.equal(items.filter((i) => i.kind === "prompt").length, 1);
  assert.match(items.find((i) => i.kind === "tool").tool.output, /"tasks"/);
});

test("a folder dropped on the window becomes a project; a file is a sentence", async (t) => {
  const home = newHome(t);
  const folder = join(home, "drop ünï");
  mkdirSync(folder);
  writeFileSync(join(home, "file.txt"), "");
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  // What the system's own drop ends in; a test cannot drag from another program.
  const drop = (path) =>
    page.evaluate((path) => window.runtime.EventsEmit("wails:file-drop", 9, 9, [path]), path);
  await drop(join(home, "file.txt"));
  await page.getByText(/^Not a folder that can be opened: .*file\.txt\.$/).waitFor();
  await drop(folder);
  await page.getByRole("dialog", { name: "New session" }).waitFor();
  const { projects } = await snapshot(page);
  assert.ok(projects.some((project) => project.path === folder && project.name === "drop ünï"));
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Project" }).getByRole("button").first().click();
  const first = page.getByRole("menuitem").first();
  assert.equal((await first.textContent()).trim(), "drop ünï", "what was added last stands first");
});

const sentinel = "S3NTINEL-deleted-4711";

// The names of the files below dir that hold the text.
function holders(dir, text) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test("a deleted session is gone from the rail, and its bytes from every file", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await say(page, `create_task {"title": "${sentinel}"}`);
  await inState(page, "ready");
  await until("the prompt to be stored", () => holders(app.home, sentinel).length > 0);
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog", { name: /Delete/ });
  await dialog.getByRole("button", { name: "Keep" }).waitFor();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await until(
    "the session to be gone",
    async () => !(await snapshot(page)).sessions.some((s) => s.id === id),
  );
  const task = (await snapshot(page)).tasks.find((row) => row.title === sentinel);
  assert.ok(task, "the task that the agent made is the person's, and stays");
});

test("the bytes of a deleted session leave the database files", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await say(page, `get_task {"id": "${sentinel}"}`);
  await inState(page, "ready");
  await until("the prompt to be stored", () => holders(app.home, sentinel).length > 0);
  await api(page, "DeleteSession", id);
  await until("the bytes to be gone", () => holders(app.home, sentinel).length === 0, 60_000);
});

test("a hostile title is drawn as text, with its hidden characters marked", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  const title = 'a\u202eb<img src=x onerror="globalThis.hit=1">';
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename session" });
  await dialog.getByRole("textbox", { name: "Title" }).fill(title);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const heading = page.getByRole("heading", { level: 1 });
  await heading.getByText("⟨U+202E⟩").waitFor();
  assert.match(await heading.textContent(), /^a⟨U\+202E⟩b<img src=x onerror=/);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  assert.equal((await snapshot(page)).tasks[0].title, title, "what is stored is what was typed");
  assert.ok(!(await page.evaluate(() => document.body.textContent)).includes("\u202e"), "nowhere drawn raw");
});

test("an archived session leaves the rail and is kept", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Stop the agent" }).click();
  await shows(page, "Stopped");
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  const rail = page.getByRole("navigation", { name: "Project" });
  await rail.getByRole("button", { name: /^Toolbench/ }).waitFor({ state: "hidden" });
  const row = (await snapshot(page)).sessions.find((s) => s.id === id);
  assert.equal(row.archived, true);
});
