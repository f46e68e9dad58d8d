// The explorer's keys, focus and live updates over the fake backend: what no unit test can see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listToPaint, openExplorer } from "./explorer-open.mjs";
import { focused, open, press, pulled } from "./explorer-scene.mjs";

const list = (page) => page.locator(".tools-list");

test("arrows, End and Home move the focus through rows that are not all there", async (t) => {
  const page = await open(t, "thousand");
  assert.ok((await page.locator(".tool").count()) < 80, "rows are virtual");
  await press(page, "ArrowDown", "ArrowDown", "ArrowUp");
  const second = await focused(page);
  assert.notEqual(second, "");
  await press(page, "End");
  await page.waitForFunction(() => document.querySelector(".tools-list").scrollTop > 20_000);
  assert.notEqual(await focused(page), second);
  await press(page, "Home");
  await page.waitForFunction(() => document.querySelector(".tools-list").scrollTop === 0);
  await press(page, "ArrowDown");
  assert.equal(await focused(page), second);
});

test("Esc leads from the tool to the list, then out; the row, its offset and the trigger get the focus back", async (t) => {
  const page = await open(t, "full");
  await press(page, "End");
  const last = await focused(page);
  const offset = await list(page).evaluate((e) => e.scrollTop);
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  await press(page, "k", "k", "j");
  assert.match(await page.locator(".page-head").textContent(), /127 of 128/);
  await press(page, "r");
  await page.waitForSelector(".raw");
  await press(page, "r", "j", "Escape");
  await page.waitForSelector(".tool:focus");
  assert.equal(await focused(page), last);
  assert.equal(await list(page).evaluate((e) => e.scrollTop), offset);
  await press(page, "Escape");
  await page.waitForSelector(".explorer", { state: "detached" });
  await page.waitForSelector("#plug:focus");
});

test("/ searches, Esc clears the search first, and what is found is announced", async (t) => {
  const page = await open(t, "full");
  await press(page, "/");
  await page.keyboard.type("field_12_3");
  await page.waitForFunction(() => document.querySelector(".hits").textContent === "1 of 128");
  assert.equal(await page.locator(".hits").getAttribute("role"), "status");
  await press(page, "Escape");
  await page.waitForFunction(() => document.querySelector(".hits").textContent === "128 tools");
  assert.ok(await page.locator(".explorer").isVisible());
});

test("focus stays inside, and is always somewhere", async (t) => {
  const page = await open(t, "odd", [640, 400]);
  for (let n = 0; n < 50; n++) {
    await press(page, n % 7 === 6 ? "Shift+Tab" : "Tab");
    assert.ok(
      await page.evaluate(() => !!document.activeElement?.closest("[role=dialog]")),
      `after ${n} tabs`,
    );
  }
});

test("a live update neither moves the row under the pointer nor takes the focus", async (t) => {
  const page = await open(t, "full");
  await pulled(page);
  await press(page, "ArrowDown", "ArrowDown");
  const before = await focused(page);
  const row = page.locator(".tool").nth(6);
  const key = await row.getAttribute("data-key");
  await row.hover();
  const top = () => page.locator(`[data-key="${key}"]`).evaluate((e) => e.getBoundingClientRect().top);
  const from = await top();
  const since = await page.evaluate(() => {
    const { kandevStore: store } = window;
    const was = store.getState().loadedAttachments.s_codex;
    // One tool less above, and every estimate turned round: sorted anew, everything would move.
    const entries = was.catalog.entries.slice(0, -1).map((e, n) => ({ ...e, estimate: 1000 + n * 7 }));
    const next = { ...was, catalog_rev: was.catalog_rev + 1, catalog: { ...was.catalog, entries } };
    store.setState({ loadedAttachments: { ...store.getState().loadedAttachments, s_codex: next } });
    return Date.now();
  });
  await listToPaint(page, { since, tools: 127 });
  assert.equal(await top(), from);
  assert.equal(await focused(page), before);
});

test("a tool that vanishes takes the person one level up", async (t) => {
  const page = await open(t, "full");
  await pulled(page);
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  await page.evaluate(() => {
    const { kandevStore: store } = window;
    const was = store.getState().loadedAttachments.s_codex;
    const name = document.querySelector("section.ex-pane").getAttribute("aria-label");
    const entries = was.catalog.entries.filter((e) => e.served !== name);
    const next = { ...was, catalog: { ...was.catalog, entries } };
    store.setState({ loadedAttachments: { ...store.getState().loadedAttachments, s_codex: next } });
  });
  await page.waitForSelector(".tools-list");
  assert.equal(await page.locator(".page-head").count(), 0);
});

// Case 32.
test("foreign text is drawn as text: no markup, no link, no control character", async (t) => {
  const page = await open(t, "odd");
  await press(page, "/");
  await page.keyboard.type("html_");
  await press(page, "Enter");
  await page.waitForSelector(".desc");
  assert.match(
    await page.locator(".desc").textContent(),
    /<img src=x onerror=alert\(1\)> \[x\]\(javascript:1\)/,
  );
  assert.equal(await page.locator(".desc *").count(), 0);
});

test("the stored list is copied as a valid tools/list result", async (t) => {
  const page = await open(t, "odd");
  await page.click(".srv-actions >> text=Copy");
  await page.click("text=Copy the stored list");
  await page.waitForFunction(() => document.querySelector(".srv-said")?.textContent === "Copied");
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(copied.tools.length, 31);
  const large = copied.tools.find((tool) => tool.name === "large_kandev");
  assert.deepEqual(large.inputSchema, { type: "object", $comment: "not stored: 81 KiB" });
});

test("sorting and filters stay for the session; search and tool do not", async (t) => {
  const page = await open(t, "odd");
  const choose = async (label, option) => {
    await page.getByRole("button", { name: new RegExp(`^${label}`) }).click();
    await page.getByRole("menuitemradio", { name: option }).click();
  };
  await choose("Sort", "Name");
  await choose("Show", "Warnings");
  await press(page, "/");
  await page.keyboard.type("odd");
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  await press(page, "Escape", "Escape", "Escape");
  await page.waitForSelector(".explorer", { state: "detached" });
  const first = await openExplorer(page).then(() => page.locator(".tool").first().getAttribute("data-key"));
  assert.equal(await page.locator(".tools-bar input").inputValue(), "");
  await page.getByRole("button", { name: /^Sort.*Name/ }).waitFor();
  await page.getByRole("button", { name: /^Show.*Warnings/ }).waitFor();
  const keys = await page.locator(".tool").evaluateAll((rows) => rows.map((row) => row.dataset.key));
  assert.deepEqual(keys, keys.toSorted(), "by name");
  assert.equal(first, keys[0]);
});

test("the plug: a card with one line a server, a dot only when one needs a look", async (t) => {
  const page = await open(t, "");
  await press(page, "Escape");
  await page.waitForSelector("#plug:focus");
  const card = page.locator(".hover-card");
  await page.hover("#plug");
  await card.waitFor();
  const lines = await card.locator(".hc").allTextContents();
  assert.match(lines[0], /kandev.*Active.*\d+ tools, ~[\d,]+ tokens/);
  assert.ok(
    lines.some((line) => /Kandev does not connect to this server/.test(line)),
    lines.join("\n"),
  );
  const look = async (status) => {
    await page.evaluate((status) => {
      const { kandevStore: store } = window;
      const { attachments } = store.getState();
      const servers = attachments.s_codex.servers.map((one) => ({ ...one, status }));
      store.setState({ attachments: { ...attachments, s_codex: { ...attachments.s_codex, servers } } });
    }, status);
    return page.locator(".plug-dot").count();
  };
  assert.deepEqual(
    [await look("active"), await look("delivered"), await look("failed"), await look("disconnected")],
    [0, 0, 1, 1],
  );
});

test("tools that changed since, earlier attempts in words, a server that vanishes", async (t) => {
  const page = await open(t, "");
  await page.getByText("Tools changed since this list was served.").waitFor();
  await page.getByText("The agent was stopped").first().waitFor();
  assert.doesNotMatch(await page.locator(".past").first().textContent(), /_kandev|schema/);
  await page.locator('.srv:has-text("filesystem")').click();
  await page.getByText("Kandev does not connect to this server.").first().waitFor();
  assert.equal(await page.locator(".tool").count(), 0, "no tool of ours beside a third-party server");
  await page.evaluate(() => {
    const { kandevStore: store } = window;
    const { attachments } = store.getState();
    const servers = attachments.s_codex.servers.filter((one) => one.name !== "filesystem");
    store.setState({ attachments: { ...attachments, s_codex: { ...attachments.s_codex, servers } } });
  });
  await page.waitForSelector(".tool");
  assert.equal(await page.locator('.srv[aria-current="true"] .mono').textContent(), "kandev");
});

test("a long enum shows 20 values and how many more; copies hold the stored bytes", async (t) => {
  const page = await open(t, "odd");
  const clipboard = async (button) => {
    await page.getByRole("button", { name: button, exact: true }).first().click();
    await page.getByText("Copied").first().waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await press(page, "/");
  await page.keyboard.type("long_enum");
  await press(page, "Enter");
  const tree = page.getByRole("tree", { name: "Arguments" });
  await tree.getByText("and 4,980 more").waitFor();
  const name = await page.locator("section.ex-pane").getAttribute("aria-label");
  assert.equal(await clipboard("Copy name"), name);
  await press(page, "r");
  await page.waitForSelector(".raw");
  const stored = await page.evaluate(
    (name) =>
      window.kandevStore
        .getState()
        .loadedAttachments.s_codex.catalog.entries.find((entry) => entry.served === name).input_schema,
    name,
  );
  assert.equal(await clipboard("Copy input schema"), stored);
});

test("servers that a summary had no room for are there all the same", async (t) => {
  const page = await open(t, "many");
  await pulled(page);
  const rows = page.locator(".ex-rail .srv");
  assert.equal(await rows.count(), 21);
  await rows.last().click();
  await page.getByText("This agent takes no SSE.").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForSelector(".explorer", { state: "detached" });
  assert.equal(await page.locator("#plug").getAttribute("aria-label"), "MCP servers: 20 delivered");
});
