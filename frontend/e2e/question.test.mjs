// A question that ends without an answer.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage, say, shows, snapshot } from "./page.mjs";

after(closeBrowser);

const ask = 'ask_user_question {"questions":[{"prompt":"Which one?"}],"context":"Before the release"}';

test("the turn stopped during a question: visibly cancelled, the session ready", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await say(page, ask);
  const card = page.getByRole("region", { name: /asks a question/ });
  await card.getByText("Before the release").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("region", { name: /asks a question: Cancelled/ }).waitFor();
  await shows(page, "Ready");
  assert.equal((await snapshot(page)).questions.length, 0);
  await say(page, "tools");
  await inState(page, "ready");
});

test("a question rejected with a reason, which the agent hears", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await say(page, ask);
  const card = page.getByRole("region", { name: /asks a question/ });
  await card.getByRole("button", { name: "Reject…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject the questions" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Ask the release manager");
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("region", { name: /asks a question: Rejected/ }).waitFor();
  await shows(page, "Ready");
  const { items } = await api(page, "Transcript", id, 0);
  assert.match(items.filter((i) => i.kind === "tool").at(-1).tool.output, /Ask the release manager/);
});

test("an answer that is missing is asked for, and what was typed stays", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  await inState(page, "ready");
  await say(page, 'ask_user_question {"questions":[{"prompt":"First?"},{"prompt":"Second?"}]}');
  const card = page.getByRole("region", { name: /asks 2 questions/ });
  const first = card.getByRole("group", { name: /First/ }).getByRole("textbox", { name: "Your answer" });
  await first.fill("only this");
  await card.getByRole("button", { name: "Send answers" }).click();
  await card.getByText("Answer every question first, or reject them.").waitFor();
  assert.equal(await first.inputValue(), "only this");
  await card
    .getByRole("group", { name: /Second/ })
    .getByRole("textbox", { name: "Your answer" })
    .fill("and this");
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("region", { name: /asks 2 questions: Answered/ })
    .getByText("and this")
    .waitFor();
});

test("a heading and half an answer: shown, and kept while another session is on screen", async (t) => {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id, project } = await inState(page, "ready");
  const other = await api(page, "NewSession", {
    project,
    agent: "toolbench",
    title: "Elsewhere",
    prompt: "",
  });
  await inState(page, "ready", other);
  await say(
    page,
    'ask_user_question {"questions":[{"title":"Release","prompt":"Which one?"}],"context":"Soon"}',
  );
  const card = page.getByRole("region", { name: /asks a question/ });
  await card.getByText("Release", { exact: true }).waitFor();
  const field = card.getByRole("textbox", { name: "Your answer" });
  await field.fill("half an ans");
  await page.getByRole("button", { name: "Elsewhere" }).click();
  await page.getByRole("heading", { name: "Elsewhere" }).waitFor();
  await page.getByRole("button", { name: "Look around" }).click();
  assert.equal(await field.inputValue(), "half an ans");
  await field.fill("half an answer");
  await page.keyboard.press("Control+Enter");
  const ended = page.getByRole("region", { name: /asks a question: Answered/ });
  await ended.getByText("half an answer").waitFor();
  await ended.getByText("Soon").waitFor();
  await ended.getByText("Release", { exact: true }).waitFor();
  await inState(page, "ready", id);
});
