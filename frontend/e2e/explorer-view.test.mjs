// The explorer's keys, focus and live updates over the fake backend: what no unit test can see.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { listToPaint, openExplorer, serve } from "./explorer-open.mjs";

let vite;
let url;
let browser;

before(async () => {
  ({ server: vite, url } = await serve());
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await vite?.close();
});

async function open(t, scene, size = [1280, 860]) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(`${url}?scene=${scene}`);
  await page.waitForFunction(() => window.kandevStore?.getState().loadedAttachments.s_codex);
  await openExplorer(page);
  await page.waitForSelector(".tool:focus");
  return page;
}

const focused = (page) =>
  page.evaluate(() => document.activeElement?.closest("[data-key]")?.dataset.key ?? "");
const list = (page) => page.locator(".tools-list");
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

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
