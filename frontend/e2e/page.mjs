// The window as a page: opened in Chromium, read and used by role and name.
import assert from "node:assert/strict";
import { launch } from "./chromium.mjs";
import { atEnd } from "./cleanup.mjs";
import { until } from "./until.mjs";

// Wails' dev server alone (v2.16.0): its overlay throws the first at every load, and an event that
// it sends before its own script has run throws the second. Nothing else may be thrown.
const known = [
  "Cannot read properties of null (reading 'nodes')",
  "Cannot read properties of undefined (reading 'EventsNotify')",
];

// What its page logs once the socket of that server is gone, as while the app quits.
const ofItsSocket = (text) =>
  text.includes("WebSocket") || (text.includes("null (reading 'send')") && text.includes("/wails/ipc.js"));

let browser;

/** The one browser of a test file; close it in an `after` hook. */
export async function openBrowser() {
  browser ??= await launch();
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/**
 * Opens the window of a running app and waits until it shows its frame. What the page throws, or
 * logs as an error while the app lives, fails the test at its end.
 */
export async function openPage(t, app, { width = 1280, height = 860, colorScheme = "light" } = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const faults = [];
  page.setDefaultTimeout(8000);
  page.on("pageerror", (error) => {
    if (!known.includes(error.message)) faults.push(`thrown: ${error.message}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" && app.code === undefined && !ofItsSocket(message.text()))
      faults.push(`logged: ${message.text()}`);
  });
  atEnd(t, async () => {
    await context.close();
    assert.deepEqual(faults, [], "errors in the page");
  });
  await page.goto(app.url);
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** Calls a method of the bound API as the page does, with the session token. */
export function api(page, method, ...args) {
  return page.evaluate(
    async ([method, args]) => {
      const answer = await fetch("/kandev/token", { headers: { "X-Kandev-Page": "1" } });
      const { token } = await answer.json();
      return window.go.app.API[method](token, ...args);
    },
    [method, args],
  );
}

export const snapshot = (page) => api(page, "Snapshot");

/** Has the app refuse the page's next call of a bound method with a sentence. */
export function refuseOnce(page, method, message) {
  return page.evaluate(
    ([name, error]) => {
      const real = window.go.app.API[name];
      window.go.app.API[name] = () => {
        window.go.app.API[name] = real;
        return Promise.reject(error);
      };
    },
    [method, JSON.stringify({ code: "failed", message })],
  );
}

/** The first session of the snapshot once it is in a state; the state is the backend's word. */
export async function inState(page, state, id) {
  return until(`the session to be ${state}`, async () => {
    const rows = (await snapshot(page)).sessions;
    const row = id ? rows.find((s) => s.id === id) : rows[0];
    return row?.state === state && row;
  });
}

/** The attachment once the tokens of every tool are counted. */
export async function counted(page, id) {
  return until("the tokens to be counted", async () => {
    const attachment = await api(page, "Attachment", id);
    return attachment.catalog?.tokens_total && attachment;
  });
}

/** Waits until the bar over the session shows a word, as its state or as the button that it becomes. */
export function shows(page, word) {
  const main = page.getByRole("main");
  const state = main.getByRole("status").getByText(word, { exact: true });
  return state
    .or(main.getByRole("button", { name: word, exact: true }))
    .first()
    .waitFor();
}

/** Types a prompt and sends it with the keyboard. */
export async function say(page, text) {
  const box = page.getByRole("textbox", { name: "Prompt", exact: true });
  await box.fill(text);
  // The page may still show the turn before, of which the backend knows that it ended: then nothing is
  // sent, and the text stays. A person presses the keys again.
  await until("the prompt to be taken", async () => {
    await page.keyboard.press("Control+Enter");
    return (await box.inputValue()) === "";
  });
}

export const talk = (page) => page.getByRole("log", { name: "Conversation" });

/** The accessible name of what has the focus, with its role. */
export function focused(page) {
  return page.evaluate(() => {
    const e = document.activeElement;
    return e ? (e.getAttribute("aria-label") ?? e.textContent ?? "").trim() : "";
  });
}
