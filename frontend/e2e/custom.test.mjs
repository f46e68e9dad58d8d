// An agent of the person's own in the real app, from the form to its last session: a script that
// speaks ACP, a kandev tool called over HTTP, a permission, commands in terminals, and the removal.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage, say, talk } from "./page.mjs";
import { descendants } from "./processes.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const value = "S3NT-custom-value";
const script = fileURLToPath(new URL("acp-agent.mjs", import.meta.url));
const shots = process.env.SHOTS;

async function picture(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function openAgents(page) {
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("navigation").getByRole("button", { name: "Agents", exact: true }).click();
  return dialog;
}

// Fills the form of a new agent; what the line is taken apart into is shown before it is saved.
async function addAgent(dialog, name, line) {
  await dialog.getByRole("button", { name: "Add agent…" }).press("Enter");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Command", { exact: true }).fill(line);
}

test("an own agent: added, started, its turn, its removal", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await inState(page, "ready");
  const dialog = await openAgents(page);

  await addAgent(dialog, " codex ", `node "${script}" "two words"`);
  const words = dialog.getByRole("list", { name: "The command, word by word" }).getByRole("listitem");
  await until("the line to be taken apart", async () => (await words.count()) === 3);
  assert.deepEqual(await words.allTextContents(), ["node", script, "two words"]);
  await dialog.getByText(/^Found at .*node$/).waitFor();
  await dialog.getByRole("button", { name: "Add variable" }).click();
  const env = dialog.getByRole("group", { name: "Environment" });
  await env.getByLabel("Name").fill("HOUSE_KEY");
  await env.getByLabel("Value of HOUSE_KEY").fill(value);
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/another agent is named Codex/)
    .waitFor();
  await dialog.getByLabel("Name", { exact: true }).first().fill("House agent");
  await picture(page, "custom-form");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("row", { name: /House agent/ }).waitFor();
  await dialog.getByRole("button", { name: "House agent", exact: true }).click();
  await picture(page, "custom-row");
  await dialog.getByRole("button", { name: "New session" }).click();
  const fromRow = page.getByRole("dialog", { name: "New session" });
  assert.equal(await fromRow.getByRole("radio", { name: /House agent/ }).isChecked(), true);
  const id = (await api(page, "Agents")).find(({ name }) => name === "House agent").id;
  await page.keyboard.press("Escape");

  // Every agent that is here has an entry of its own in the palette, and no other one.
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search actions and sessions" });
  await palette.getByRole("combobox").fill("new session with");
  const installed = (await api(page, "Agents")).filter((agent) => agent.installed);
  const entries = await palette.getByRole("option").allTextContents();
  assert.deepEqual(
    entries.map((text) => text.trim()),
    installed.map(({ name }) => `New session with ${name}…`),
  );
  await picture(page, "palette-agents");
  await palette.getByRole("combobox").fill("session with house");
  await page.keyboard.press("Enter");
  const create = page.getByRole("dialog", { name: "New session" });
  assert.equal(await create.getByRole("radio", { name: /House agent/ }).isChecked(), true);
  await create.getByRole("button", { name: /Start/ }).click();
  const session = await until("its session", async () => {
    const rows = (await api(page, "Snapshot")).sessions;
    return rows.find((row) => row.agent === id && row.state === "ready");
  });
  assert.equal(session.agent_name, "House agent 1.2.3");

  await say(page, "who");
  await talk(page).getByText(`key ${value.length}, words two words`).waitFor();
  await inState(page, "ready", session.id);
  await say(page, "tasks");
  await talk(page)
    .getByText(/^listed \d+$/)
    .waitFor();
  await inState(page, "ready", session.id);

  await say(page, "ask");
  const card = page.getByRole("region", { name: /^House agent.* asks/ });
  await card.waitFor();
  await card.focus();
  await page.keyboard.press("1");
  await talk(page).getByText("answered yes").waitFor();
  await inState(page, "ready", session.id);

  await terminals(page, app, session.id);
  await removal(page, session.id);
  const logs = readdirSync(join(home, "logs")).map((name) => readFileSync(join(home, "logs", name), "utf8"));
  for (const secret of [value, "first words"]) assert.ok(!logs.join("").includes(secret), "the log holds it");
  assert.ok(
    !readFileSync(join(home, "secrets.json"), "utf8").includes(value),
    "the value outlives its agent",
  );
});

// A command that is seen while it runs, one that fails, and one that ends with its agent.
async function terminals(page, app, id) {
  const gate = join(app.home, "gate");
  await say(
    page,
    `run printf '\\033[32mfirst words\\033[0m\\n'; while [ ! -e ${gate} ]; do sleep 0.05; done; exit 3`,
  );
  await talk(page).getByText("first words", { exact: true }).waitFor();
  await talk(page).getByText("Running").first().waitFor();
  await picture(page, "terminal-running");
  mkdirSync(gate);
  await talk(page).getByText("exit 3", { exact: true }).first().waitFor();
  await talk(page)
    .getByText(/^ran \d+ characters, exit 3$/)
    .waitFor();
  assert.ok(!(await talk(page).textContent()).includes("U+001B"), "an escape sequence is shown");
  await inState(page, "ready", id);
  await picture(page, "terminal-ended");

  await say(page, "run trap '' TERM; echo deaf; while :; do sleep 60; done");
  await talk(page).getByText("deaf", { exact: true }).waitFor();
  const before = descendants(app.pid).length;
  await api(page, "StopSession", id);
  await inState(page, "stopped", id);
  assert.ok(descendants(app.pid).length < before - 2, "the command runs on");
  await talk(page).getByText("ended by SIGKILL", { exact: true }).first().waitFor();
}

// Not while it runs; then its sessions stay, and say that it is gone.
async function removal(page, id) {
  await api(page, "StartSession", id);
  await inState(page, "ready", id);
  const dialog = await openAgents(page);
  await dialog.getByRole("button", { name: "House agent", exact: true }).click();
  const remove = async () => {
    await dialog.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  };
  await remove();
  await dialog
    .getByRole("alert")
    .getByText(/one session of House agent has not ended/)
    .waitFor();
  await api(page, "StopSession", id);
  await inState(page, "stopped", id);
  await remove();
  await until("the agent to be gone", async () => (await dialog.getByText("House agent").count()) === 0);
  await page.keyboard.press("Escape");
  await page
    .getByText(/The agent of this session is not there any more/)
    .first()
    .waitFor();
  await talk(page).getByText("answered yes").waitFor();
  await picture(page, "custom-gone");
  assert.equal(await page.getByRole("main").getByRole("button", { name: /Start/ }).count(), 0);
}

test("what cannot be an agent is said in the form, and at the start", async (t) => {
  const home = newHome(t);
  const app = await startApp(t, home);
  const page = await openPage(t, app);
  await inState(page, "ready");
  const dialog = await openAgents(page);
  await addAgent(dialog, "Odd", "node 'open");
  await dialog.getByText(/a quote that is not closed/).waitFor();
  for (const [line, want] of [
    [home, /is a folder, not a program/],
    ["no-such-agent --acp", /The agent's program no-such-agent was not found/],
    ["x".repeat(10_000), /longer than 4096 bytes/],
  ]) {
    await dialog.getByLabel("Command", { exact: true }).fill(line);
    await dialog.getByText(want).first().waitFor();
  }
  await dialog.getByLabel("Command", { exact: true }).fill(`sh -c "echo last words >&2; exit 7"`);
  await dialog.getByText(/^Found at/).waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("row", { name: /Odd/ }).waitFor();
  await page.keyboard.press("Escape");
  const agents = await api(page, "Agents");
  const { project } = (await api(page, "Snapshot")).sessions[0];
  const id = await api(page, "NewSession", {
    project,
    agent: agents.find(({ name }) => name === "Odd").id,
    title: "",
    prompt: "",
  });
  const failed = await inState(page, "failed", id);
  assert.match(failed.reason, /exit code 7/);
  const { items } = await api(page, "Transcript", id, 0);
  assert.match(items.at(-1).text, /last words/);
});
