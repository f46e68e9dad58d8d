// The explorer over the fake backend, for tests of its view: one server and browser for each file.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "./chromium.mjs";
import { openExplorer, serve } from "./explorer-open.mjs";

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

/** Opens the window in a scene of explorer-page.tsx. A fault of the page is one of the test. */
export async function openWindow(t, scene, size = [1280, 860], media = {}) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, ...media });
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
  return page;
}

/** Opens the explorer as well, with the focus on its first row. */
export async function open(t, scene, size) {
  const page = await openWindow(t, scene, size);
  await page.evaluate(() => {
    window.atFirst = window.kandevStore.getState().loadedAttachments.s_codex;
  });
  await openExplorer(page);
  await page.waitForSelector(".tool:focus");
  return page;
}

// Opening pulls the attachment once more; a test that changes what was pulled waits for that.
export const pulled = (page) =>
  page.waitForFunction(() => window.kandevStore.getState().loadedAttachments.s_codex !== window.atFirst);

export const focused = (page) =>
  page.evaluate(() => document.activeElement?.closest("[data-key]")?.dataset.key ?? "");
export const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
