// The main job: a session of the embedded agent, a tool called, a question answered.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, counted, inState, openPage, say, shows, talk } from "./page.mjs";

after(closeBrowser);

test("first run: ready, tools, a call, a question answered with the keyboard", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await shows(page, "Ready");
  const session = await inState(page, "ready");
  await counted(page, session.id);

  await say(page, "tools");
  await talk(page).getByText("ask_user_question_kandev").last().waitFor();

  // A call through the form: the tool is chosen and its button pressed.
  const tools = page.getByRole("region", { name: "Tools" });
  await tools.getByRole("button", { name: /^list_tasks_kandev/ }).click();
  await tools.getByRole("button", { name: "Call", exact: true }).click();
  const call = talk(page).getByRole("button", { name: /kandev.*list_tasks.*Done/ });
  await call.waitFor();
  await talk(page).getByText("Look around").last().waitFor();
  assert.equal(await call.getAttribute("aria-expanded"), "true");

  await inState(page, "ready");
  await say(
    page,
    'ask_user_question {"questions":[{"prompt":"Which colour?","options":[{"label":"red"},{"label":"blue"}]}]}',
  );
  await page.getByRole("region", { name: /asks a question/ }).waitFor();
  await shows(page, "Waits for you");

  // From the prompt, with keys alone: the state in the bar leads to the question.
  await page.getByRole("main").getByRole("button", { name: "Waits for you" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Enter");
  const ended = page.getByRole("region", { name: /asks a question: Answered/ });
  await ended.getByText("blue").waitFor();
  await inState(page, "ready");
  const { items } = await api(page, "Transcript", session.id, 0);
  assert.match(items.filter((i) => i.kind === "tool").at(-1).tool.output, /blue/, "what the agent got");
});
