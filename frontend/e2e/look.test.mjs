// What every surface owes: names, a visible focus, no sideways overflow, light and dark.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { closeBrowser, counted, focused, inState, openPage, say, shows } from "./page.mjs";

after(closeBrowser);

const ask =
  'ask_user_question {"questions":[{"prompt":"Which?","options":[{"label":"one"},{"label":"two"}]}]}';

// Roles that a person acts on or is led by: each needs a name.
const named = new Set(
  "button link textbox searchbox radio checkbox combobox option menuitem treeitem dialog tab switch group region tree listbox".split(
    " ",
  ),
);

// Every accessible node with such a role and no name.
async function nameless(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored && named.has(node.role?.value) && !node.name?.value?.trim())
    .map((node) => node.role.value)
    .filter((role) => role !== "group" && role !== "region");
}

const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// Opens each surface in turn and hands it to look.
async function surfaces(page, look) {
  await look("session");
  const dialogs = [
    ["n", "New session"],
    ["?", "Keys"],
    ["Control+k", "Search actions and sessions"],
    ["Control+Shift+M", "MCP servers"],
  ];
  for (const [key, name] of dialogs) {
    await page.getByRole("log", { name: "Conversation" }).focus();
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog", { name });
    await dialog.waitFor();
    await look(name);
    if (name === "MCP servers") {
      await page.keyboard.press("Enter");
      await dialog.getByRole("tree", { name: "Arguments" }).waitFor();
      await look("a tool");
      await page.keyboard.press("r");
      await look("its schema");
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Plugins");
  await page.keyboard.press("Enter");
  await page.getByText("No plugin yet.").waitFor();
  await look("plugins");
  await page.getByRole("button", { name: "Install…" }).first().click();
  await page.getByRole("dialog", { name: "Install plugin" }).waitFor();
  await look("install a plugin");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Look around");
  await page.keyboard.press("Enter");
  await say(page, ask);
  await page.getByRole("region", { name: /asks a question/ }).waitFor();
  await look("question");
}

async function ready(t, options) {
  const app = await startApp(t, newHome(t));
  const page = await openPage(t, app, options);
  const { id } = await inState(page, "ready");
  await counted(page, id);
  await say(page, "tools");
  await inState(page, "ready");
  await shows(page, "Ready");
  return { app, page, id };
}

test("everything that a person acts on has a name", async (t) => {
  const { page } = await ready(t);
  await surfaces(page, async (where) =>
    assert.deepEqual(await nameless(page), [], `without a name in ${where}`),
  );
});

test("640×400 and 1280×860: nothing scrolls sideways", async (t) => {
  const { page } = await ready(t, { width: 640, height: 400 });
  await surfaces(page, async (where) => {
    assert.equal(await tooWide(page), 0, `${where} at 640×400`);
  });
  await page.setViewportSize({ width: 1280, height: 860 });
  assert.equal(await tooWide(page), 0);
  await page.setViewportSize({ width: 480, height: 320 });
  assert.ok((await tooWide(page)) <= 0, "the smallest window");
});

test("the Tab key alone: every stop has a name and shows that it has the focus", async (t) => {
  const { page } = await ready(t);
  await page.reload();
  await shows(page, "Ready");
  const seen = [];
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const look = (x) =>
        `${getComputedStyle(x).outline}|${getComputedStyle(x).boxShadow}|${getComputedStyle(x).borderColor}`;
      const on = [e, e.parentElement, e.parentElement?.parentElement].map(look).join();
      const label = e.labels?.[0]?.textContent ?? "";
      const name = (e.getAttribute("aria-label") ?? (label || e.textContent || e.title)).trim();
      e.blur();
      const off = [e, e.parentElement, e.parentElement?.parentElement].map(look).join();
      e.focus({ focusVisible: true });
      return { name: name.slice(0, 40), visible: on !== off };
    });
    if (!stop) break;
    seen.push(stop);
  }
  assert.ok(seen.length > 10, `${seen.length} stops`);
  assert.deepEqual(
    seen.filter((stop) => stop.name === "" || !stop.visible),
    [],
  );
  for (const name of ["New session", "MCP servers: 1 delivered", "Session menu", "Prompt"])
    assert.ok(
      seen.some((stop) => stop.name.startsWith(name)),
      `${name} is reached`,
    );
});

test("640×400: the cross of a notice stands beside its text, and closes it", async (t) => {
  const { page } = await ready(t, { width: 640, height: 400 });
  await page.evaluate(
    (path) => window.runtime.EventsEmit("wails:file-drop", 9, 9, [path]),
    `/none/${"n".repeat(90)}`,
  );
  const notice = page.getByRole("alert").filter({ hasText: "Not a folder that can be opened" });
  const text = await notice.locator("span.grow").boundingBox();
  const close = notice.getByRole("button", { name: "Close" });
  const cross = await close.boundingBox();
  assert.ok(
    cross.x >= text.x + text.width && cross.y < text.y + text.height,
    JSON.stringify({ text, cross }),
  );
  await close.press("Enter");
  await notice.waitFor({ state: "hidden" });
  assert.equal(await focused(page), "Prompt", "the focus goes on");
});

// The brightness of the page behind everything, 0 to 255.
const brightness = (page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(document.querySelector("main")).backgroundColor;
    canvas.fillStyle =
      canvas.fillStyle === "#00000000" ? getComputedStyle(document.body).backgroundColor : canvas.fillStyle;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
    return (r + g + b) / 3;
  });

test("the theme is the system's until the person chooses, and the choice is kept", async (t) => {
  const { app, page } = await ready(t, { colorScheme: "dark" });
  assert.ok((await brightness(page)) < 80, "dark as the system");
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: /^Theme/ }).click();
  await page
    .getByRole("menuitemradio", { name: "Light" })
    .or(page.getByRole("menuitem", { name: "Light" }))
    .click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  assert.ok((await brightness(page)) > 200, "light by choice");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  assert.equal(app.code, undefined);
});
