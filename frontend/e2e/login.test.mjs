// Logging in to an agent, in the window: from Settings without a session, and from a session that failed.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, focused, inState, openPage, snapshot } from "./page.mjs";
import { descendants } from "./processes.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const script = fileURLToPath(new URL("login-agent.mjs", import.meta.url));

// The app as a launcher starts it, with an agent that only npm's global folder below the home knows.
async function start(t) {
  const home = newHome(t);
  const bin = join(home, "me", ".npm-global", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "auggie"), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(join(bin, "auggie"), 0o755);
  const files = { LOG: join(home, "me", "log"), ACCOUNT: join(home, "me", ".augment", "session.json") };
  mkdirSync(join(home, "me", ".augment"));
  const env = { ...files, HOME: join(home, "me"), PATH: "/usr/bin:/bin", AUGMENT_SESSION_AUTH: "" };
  const app = await startApp(t, home, { env });
  const page = await openPage(t, app);
  const asked = () => (existsSync(files.LOG) ? readFileSync(files.LOG, "utf8").trim().split("\n") : []);
  return { app, page, bin, asked };
}

// The processes of the agent below the app.
function agents(app) {
  return descendants(app.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("login-agent");
    } catch {
      return false; // it ended between the list and the look
    }
  });
}

async function openAgents(page) {
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("navigation").getByRole("button", { name: "Agents", exact: true }).click();
  return dialog;
}

test("without a session: the agent says its ways, one fails, one is cancelled, one logs in", async (t) => {
  const { page, bin, asked } = await start(t);
  const dialog = await openAgents(page);
  await dialog.getByRole("row", { name: /Auggie.*npm.*Logged out/ }).waitFor();
  await dialog
    .getByRole("row", { name: /Auggie/ })
    .getByRole("button", { name: "Log in…" })
    .press("Enter");
  await dialog.getByText(join(bin, "auggie"), { exact: true }).waitFor();
  const begin = () =>
    dialog
      .getByRole("region", { name: "Ways to log in" })
      .getByRole("button", { name: /^(Log in…|Try again)$/ })
      .press("Enter");
  await begin();
  await dialog.getByText(`${join(bin, "auggie")} login --console`).waitFor();
  await dialog.getByText("It also offers Smart card, in a way that Kandev does not know.").waitFor();
  await dialog.getByRole("button", { name: "Log in: Bad key" }).press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/The login failed.*this key is not valid/)
    .waitFor();
  assert.equal(
    await focused(page),
    "Try again",
    "where the pressed button was, the focus is on what to do next",
  );
  await begin();
  await dialog.getByRole("button", { name: "Log in: Endless" }).press("Enter");
  await dialog.getByText("Logging in: Endless. The agent may open a browser.").waitFor();
  await dialog.getByRole("button", { name: "Cancel login" }).press("Enter");
  await dialog.getByText("The login was cancelled.").waitFor();
  await begin();
  await dialog.getByRole("button", { name: "Log in: Account" }).press("Enter");
  await dialog.getByRole("row", { name: /Auggie.*Login found/ }).waitFor();
  await dialog.getByText("The file ~/.augment/session.json is there.").waitFor();
  assert.deepEqual(asked(), ["bad", "never", "browser"]);
});

test("a session that wants a login shows the ways, and goes on with what was typed", async (t) => {
  const { page, bin } = await start(t);
  const project = (await snapshot(page)).projects[0].id;
  const id = await api(page, "NewSession", {
    project,
    agent: "auggie",
    title: "Needs a login",
    prompt: "hello",
  });
  await inState(page, "failed", id);
  await page.getByRole("button", { name: /Auggie.*Failed/ }).click();
  const ways = page.getByRole("region", { name: "Ways to log in" });
  await ways.getByText(`${join(bin, "auggie")} login`, { exact: true }).waitFor();
  await ways.getByText("AUGMENT_SESSION_AUTH").waitFor();
  // Once, below the conversation: getByText is strict.
  await page.getByRole("main").getByText("The agent wants you to log in first.").waitFor();
  await page.keyboard.press("n");
  await page
    .getByRole("dialog")
    .getByText(/logged out/)
    .waitFor();
  await page.keyboard.press("Escape");
  await ways.getByRole("button", { name: "Log in: Bad key" }).press("Enter");
  await page
    .getByRole("main")
    .getByText(/The login failed/)
    .waitFor();
  await ways.getByRole("button", { name: "Log in: Endless" }).press("Enter");
  await page.getByRole("log").getByText("Logging in: Endless. The agent may open a browser.").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Cancel login" }).press("Enter");
  await inState(page, "stopped", id);
  await ways.getByRole("button", { name: "Log in: Account" }).press("Enter");
  await inState(page, "ready", id);
  await page.getByRole("log").getByText("hello").waitFor();
  await until("the ways to be gone", async () => (await ways.count()) === 0);
});

test("leaving the settings ends a login that nobody chose for", async (t) => {
  const { app, page } = await start(t);
  const dialog = await openAgents(page);
  await dialog
    .getByRole("row", { name: /Auggie/ })
    .getByRole("button", { name: "Log in…" })
    .click();
  await dialog
    .getByRole("region", { name: "Ways to log in" })
    .getByRole("button", { name: "Log in…" })
    .click();
  await dialog.getByRole("button", { name: "Log in: Account" }).waitFor();
  await page.keyboard.press("Escape");
  await until(
    "the agent to be gone",
    async () => (await api(page, "AgentLogin", "auggie")).state === "cancelled",
  );
  assert.deepEqual(agents(app), []);
});
