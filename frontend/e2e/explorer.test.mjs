// The MCP explorer on what the agent was really served, with keys alone where a person would.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, counted, focused, inState, openPage, shows } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

// An app whose session is ready and counted.
async function ready(t) {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await shows(page, "Ready");
  await counted(page, id);
  return { app, page, id, dialog: page.getByRole("dialog", { name: "MCP servers" }) };
}

const tools = (dialog) => dialog.getByRole("listbox", { name: "Tools" }).getByRole("option");

// The served names in the order that is shown.
const order = async (dialog) =>
  (await tools(dialog).allTextContents()).map((text) => text.match(/^\w+?_kandev/)?.[0]);

test("the explorer: tools, search, a tool with its schema, Esc level by level", async (t) => {
  const { page, id, dialog } = await ready(t);
  const plug = page.getByRole("button", { name: "MCP servers: 1 delivered" });
  await plug.focus();
  await page.keyboard.press("Control+Shift+M");
  const { catalog } = await api(page, "Attachment", id);
  await dialog.getByText(`~${catalog.tokens_total.toLocaleString("en")} tokens`, { exact: true }).waitFor();
  const bySize = catalog.entries.toSorted((a, b) => b.estimate - a.estimate).map((entry) => entry.served);
  assert.deepEqual(await order(dialog), bySize, "sorted by tokens at first");
  for (const entry of catalog.entries)
    await tools(dialog)
      .and(dialog.getByTitle(entry.served, { exact: true }))
      .getByText(`~${entry.estimate}`)
      .waitFor();

  // Search, and Esc clears it before it closes anything.
  await page.keyboard.press("/");
  await page.keyboard.type("external");
  await dialog.getByRole("status").getByText(`1 of ${bySize.length}`).waitFor();
  assert.deepEqual(await order(dialog), ["create_task_kandev"]);
  await page.keyboard.press("Escape");
  await until("the whole list", async () => (await order(dialog)).length === bySize.length);

  // Down to a tool and its schema, one key each.
  await page.keyboard.press("ArrowDown");
  await tools(dialog).first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const tool = dialog.getByRole("region", { name: bySize[1] });
  await tool.getByRole("tree", { name: "Arguments" }).getByRole("treeitem").first().waitFor();
  await page.keyboard.press("r");
  const json = tool.getByRole("region", { name: "Input schema as JSON" });
  await json.getByText('"properties"').waitFor();
  await tool.getByRole("button", { name: "As served" }).click();
  const stored = catalog.entries.find((entry) => entry.served === bySize[1]).input_schema;
  assert.ok((await json.textContent()).includes(stored), "the bytes as they were served");

  // Esc: tool, tools, closed; the row and then the trigger have the focus again.
  await page.keyboard.press("Escape");
  await until("the row to have the focus", async () => (await focused(page)).startsWith(bySize[1]));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await until(
    "the trigger to have the focus",
    async () => (await focused(page)) === "MCP servers: 1 delivered",
  );
});

test("the explorer follows the session: a call is counted, the tool stays in view", async (t) => {
  const { page, id, dialog } = await ready(t);
  await page.getByRole("button", { name: "MCP servers: 1 delivered" }).click();
  await tools(dialog)
    .and(dialog.getByTitle("get_task_kandev", { exact: true }))
    .click();
  const tool = dialog.getByRole("region", { name: "get_task_kandev" });
  await tool.getByText("Not called in this attempt.").waitFor();
  await api(page, "Prompt", id, "get_task {}");
  await tool.getByText("Not called in this attempt.").waitFor({ state: "hidden" });
  const { uses } = await api(page, "Attachment", id);
  assert.deepEqual(
    uses.map(({ tool, calls, errors }) => ({ tool, calls, errors })),
    [{ tool: "get_task_kandev", calls: 1, errors: 0 }],
  );
  await tool.waitFor();
});

test("a session that is not running: what was last observed, grey, with its time", async (t) => {
  const { page, id, dialog } = await ready(t);
  await api(page, "StopSession", id);
  await shows(page, "Stopped");
  await page.keyboard.press("Control+Shift+M");
  await dialog.getByText("Toolbench is not running. Nothing here is live.").waitFor();
  await dialog
    .getByText(/^Last observed \d\d:\d\d/)
    .first()
    .waitFor();
  assert.equal((await order(dialog)).length, 5);
  await dialog.getByRole("button", { name: "Start again" }).click();
  await dialog.getByText(/^Attempt 2, since/).waitFor();
  await dialog.getByText("Earlier attempts").waitFor();
});

test("without a tokenizer there is no number, no method id, and the window says so", async (t) => {
  const app = await startApp(t, newHome(t), { env: { KANDEV_E2E_NO_TOKENS: "1" } });
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const { catalog, attempts } = await until("the served list", async () => {
    const attachment = await api(page, "Attachment", id);
    return attachment.catalog && !attachment.attempts[0].servers[0].counting && attachment;
  });
  assert.equal(catalog.entries.length, 5);
  for (const holder of [catalog, attempts[0].servers[0], ...catalog.entries])
    for (const figure of ["tokens_total", "method", "estimate", "parts"])
      assert.ok(!holder[figure], `${figure}: ${holder[figure]}`);
  await page.keyboard.press("Control+Shift+M");
  const dialog = page.getByRole("dialog", { name: "MCP servers" });
  await dialog.getByText("No estimate: the tokenizer is unavailable.").first().waitFor();
  assert.equal(await dialog.getByText(/~\d/).count(), 0, "no number anywhere");
  if (process.env.KANDEV_PICTURES)
    await page.screenshot({ path: `${process.env.KANDEV_PICTURES}/no-tokenizer.png` });
});

test("many servers of one's own: all of them after a reload and after a restart, with what is known", async (t) => {
  const home = newHome(t);
  let app = await startApp(t, home);
  let page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  const names = Array.from({ length: 14 }, (_, n) => `own-${String(n).padStart(2, "0")}`);
  for (const name of names)
    await api(page, "SaveOwnServer", {
      ...{ id: "", agent: "toolbench", name, transport: "stdio", url: "", args: [], env: [], headers: [] },
      ...{ command: name === "own-13" ? "no-such-program" : "/bin/true", off: false },
    });
  await api(page, "StopSession", id);
  await api(page, "StartSession", id);
  await inState(page, "ready", id);
  await counted(page, id);

  const look = async () => {
    await page.getByRole("button", { name: "MCP servers: 14 delivered" }).click();
    const dialog = page.getByRole("dialog", { name: "MCP servers" });
    const rows = dialog.getByRole("navigation", { name: "Servers" }).getByRole("button");
    await until("every server", async () => (await rows.count()) === 15);
    await rows.filter({ hasText: "own-12" }).click();
    await dialog.getByText("true", { exact: true }).waitFor();
    await rows.filter({ hasText: "own-13" }).click();
    await dialog
      .getByText(/no-such-program is not in the PATH/)
      .first()
      .waitFor();
    return dialog;
  };
  await look();
  await page.reload();
  await look();
  assert.equal(await app.quit(), 0);
  app = await startApp(t, home);
  page = await openPage(t, app);
  await shows(page, "Stopped");
  await look();
  if (process.env.KANDEV_PICTURES)
    await page.screenshot({ path: `${process.env.KANDEV_PICTURES}/many-servers.png` });
});
