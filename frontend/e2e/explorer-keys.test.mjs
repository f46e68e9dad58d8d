// The explorer with keys alone, in a small window, and what a change of its data does to the focus.
import assert from "node:assert/strict";
import { test } from "node:test";
import { focused, open, press, pulled } from "./explorer-scene.mjs";

// What the stream and a pull would bring: a change of our own server, or of what was served.
const change = (page, { server = {}, without = "" }) =>
  page.evaluate(
    ({ server, without }) => {
      const { kandevStore: store } = window;
      const { attachments, loadedAttachments } = store.getState();
      const servers = attachments.s_codex.servers.map((one) =>
        one.source === "builtin" ? { ...one, ...server } : one,
      );
      const was = loadedAttachments.s_codex;
      const entries = was.catalog.entries.filter((entry) => entry.served !== without);
      store.setState({
        attachments: { ...attachments, s_codex: { ...attachments.s_codex, servers } },
        loadedAttachments: {
          ...loadedAttachments,
          s_codex: { ...was, catalog: { ...was.catalog, entries } },
        },
      });
    },
    { server, without },
  );

// Reports whether the focused row can be seen: below the head of the list, above its end.
const inSight = (page) =>
  page.evaluate(() => {
    const row = document.activeElement.getBoundingClientRect();
    const head = document.querySelector(".tool-head").getBoundingClientRect();
    const list = document.querySelector(".tools-list").getBoundingClientRect();
    return row.top >= head.bottom - 1 && row.bottom <= list.bottom + 1;
  });

test("Back leads to the row of the tool that was looked at last, in sight", async (t) => {
  const page = await open(t, "full");
  const first = await focused(page);
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  await press(page, ...Array(60).fill("j"));
  await press(page, "Escape");
  await page.waitForSelector(".tool:focus");
  assert.notEqual(await focused(page), first);
  assert.ok(await inSight(page), "after J");
  await press(page, "Enter", ...Array(60).fill("k"), "Escape");
  await page.waitForSelector(".tool:focus");
  assert.equal(await focused(page), first);
  assert.ok(await inSight(page), "after K");
});

test("a focused row that vanishes leaves the focus on the row in its place", async (t) => {
  const page = await open(t, "full");
  await pulled(page);
  await press(page, ...Array(40).fill("ArrowDown"));
  const gone = await focused(page);
  const next = await page.locator(".tool:focus").evaluate((row) => {
    const at = Number(row.getAttribute("aria-posinset"));
    return document.querySelector(`.tool[aria-posinset="${at + 1}"]`).dataset.key;
  });
  await change(page, { without: gone });
  await page.waitForFunction((key) => !document.querySelector(`[data-key="${key}"]`), gone);
  assert.equal(await focused(page), next);
  assert.ok(await inSight(page));
});

test("the arguments with keys alone: a way back is followed, and one row is in the tab order", async (t) => {
  const page = await open(t, "odd");
  await press(page, "/");
  await page.keyboard.type("odd_recursive");
  await press(page, "Enter");
  const tree = page.getByRole("tree", { name: "Arguments" });
  await tree.locator("[tabindex='0']").focus();
  const row = () => page.evaluate(() => document.activeElement.querySelector(".arg-name")?.textContent);
  await press(page, "End");
  assert.equal(await row(), "children");
  assert.equal(await tree.locator(".arg[tabindex='0']").count(), 1);
  assert.equal(await tree.locator(".arg[tabindex='0'] .arg-name").textContent(), "children");
  await press(page, "Enter");
  assert.equal(await row(), "root", "the way back");
  await press(page, "ArrowRight");
  assert.equal(await row(), "children", "into an open row");
  await press(page, "ArrowLeft");
  assert.equal(await row(), "root", "out again");
  await press(page, "Enter");
  assert.equal(await tree.locator(".arg").count(), 1, "closed");
  await press(page, "ArrowRight", "End", "Home");
  assert.equal(await row(), "root");
});

test("a small window: Esc closes the evidence before the explorer; everything can be exported", async (t) => {
  const page = await open(t, "odd", [640, 400]);
  await page.locator(".track-short").click();
  await page.locator(".track.is-open").waitFor();
  await press(page, "Escape");
  await page.locator(".track.is-open").waitFor({ state: "detached" });
  assert.ok(await page.locator(".explorer").isVisible());
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByText("Saved as").first().waitFor();
  await press(page, "/");
  await page.keyboard.type("html_");
  await press(page, "Enter", "r");
  await page.getByRole("button", { name: "Export tool" }).click();
  await page.getByText("Saved as").first().waitFor();
});

test("a change of the status is announced, whatever is on screen", async (t) => {
  const page = await open(t, "full");
  await pulled(page);
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  const told = page.locator(".explorer [aria-live='polite']");
  assert.match(await told.textContent(), /kandev: Active/);
  await told.evaluate((e) => {
    e.dataset.same = "yes";
  });
  await change(page, { server: { status: "disconnected", tools_changed: false } });
  await page.waitForFunction(() =>
    /kandev: Disconnected/.test(document.querySelector(".explorer [data-same='yes']").textContent),
  );
});

test("what goes from the screen leaves the focus where keys go on working", async (t) => {
  const page = await open(t, "odd", [640, 400]);
  const focusedIn = (selector) =>
    page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);
  await press(page, "/");
  await page.keyboard.type("long_enum");
  await press(page, "Enter");
  await page.waitForSelector(".page-head");
  assert.ok(await focusedIn(".page"), "the page of a tool");
  await press(page, "End");
  await page.waitForFunction(() => document.querySelector(".page").scrollTop > 0);
  await page.locator("[role=tree] [tabindex='0']").focus();
  await press(page, "r");
  await page.waitForSelector(".raw");
  assert.ok(await focusedIn(".raw"), "its JSON");
  await press(page, "r");
  await page.waitForSelector(".args");
  assert.ok(await focusedIn(".page"), "its page again");
  for (let n = 0; n < 10; n++) await page.getByRole("button", { name: /^and .* more$/ }).press("Enter");
  await page.getByRole("button", { name: /^and .* more$/ }).waitFor({ state: "detached" });
  assert.ok(await focusedIn(".arg"), "the row whose last values were shown");
  await press(page, "Escape");
  await page.getByRole("dialog").focus();
  await press(page, "/");
  assert.ok(await focusedIn(".tools-bar input"), "the search, from the dialog itself");
});

// Case 28.
test("of two tools with one name, the second is left when it alone has that name", async (t) => {
  const page = await open(t, "odd");
  await pulled(page);
  await press(page, "/");
  await page.keyboard.type("twin");
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  await page.waitForSelector(".page-head");
  await page.evaluate(() => {
    const { kandevStore: store } = window;
    const { loadedAttachments } = store.getState();
    const was = loadedAttachments.s_codex;
    const first = was.catalog.entries.findIndex((entry) => entry.served === "twin_kandev");
    const catalog = { ...was.catalog, entries: was.catalog.entries.toSpliced(first, 1) };
    store.setState({ loadedAttachments: { ...loadedAttachments, s_codex: { ...was, catalog } } });
  });
  await page.waitForSelector(".tools-list");
  await press(page, "/");
  await page.waitForFunction(() => document.activeElement.matches(".tools-bar input"));
});

test("the card of the plug opens for the keyboard, and not because a click gave the focus back", async (t) => {
  const page = await open(t, "");
  const card = page.locator(".hover-card");
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForSelector("#plug:focus");
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600);
  assert.equal(await card.count(), 0, "after a click on the cross");
  await press(page, "Tab", "Shift+Tab");
  await page.waitForSelector("#plug:focus");
  await card.waitFor();
  await press(page, "Tab");
  await card.waitFor({ state: "detached" });
});
