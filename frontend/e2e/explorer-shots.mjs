// Pictures of the explorer in its states, as e2e/shots.mjs makes them of the window:
// `node e2e/explorer-shots.mjs [NAME…]`. A page error or a sideways overflow makes it fail.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./chromium.mjs";
import { serve } from "./explorer-open.mjs";

const out = resolve(process.env.SHOTS ?? new URL("../../build/tmp/shots", import.meta.url).pathname);
const sizes = [
  [1280, 860],
  [960, 640],
  [640, 400],
];

const nothing = async () => {};
const tool = (query) => async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type(query);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".page-head");
};
const json = (query) => async (page) => {
  await tool(query)(page);
  await page.keyboard.press("r");
};
const server = (name) => async (page) => {
  const wide = await page.locator(".ex-rail").isVisible();
  if (!wide) await page.click(".srv-title");
  await page.click(wide ? `.srv:has-text("${name}")` : `[role=menuitem]:has-text("${name}")`);
};

/** name, scene of e2e/explorer-page.tsx, what the person does first */
const scenes = [
  ["list", "", nothing],
  ["full", "full", nothing],
  ["odd", "odd", nothing],
  [
    "search",
    "full",
    async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("field_12_3");
    },
  ],
  [
    "nomatch",
    "full",
    async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("webhok");
    },
  ],
  ["tool", "odd", tool("odd_patterns")],
  ["ansi", "odd", tool("ansi")],
  ["anyof", "odd", tool("root_any_of")],
  ["deep", "odd", tool("odd_deep")],
  ["enum", "odd", tool("long_enum")],
  ["ifthen", "odd", tool("if_then")],
  ["large", "odd", tool("large_kandev")],
  ["nothing", "odd", tool("closed")],
  ["json", "odd", json("odd_patterns")],
  ["exact", "odd", json("exact")],
  ["filesystem", "", server("filesystem")],
  ["github", "", server("github")],
  ["changed", "changed", nothing],
  ["unlisted", "unlisted", nothing],
  ["none", "none", nothing],
  ["uncounted", "uncounted", nothing],
  ["closed", "closed", nothing],
  ["failed", "failed", nothing],
  ["past", "past", nothing],
];

const wanted = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const { server: vite, url } = await serve();
const browser = await launch();
let faults = 0;
const fault = (text) => {
  faults++;
  console.error(text);
};
for (const [name, scene, act] of scenes) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const [width, height] of sizes) {
    for (const theme of ["light", "dark"]) {
      const page = await browser.newPage({ viewport: { width, height } });
      page.on("pageerror", (error) => fault(`${name}: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") fault(`${name}: ${message.text()}`);
      });
      await page.goto(`${url}?scene=${scene}&theme=${theme}`);
      await page.waitForSelector("#plug");
      await page.waitForTimeout(300);
      await page.keyboard.press("Control+Shift+M");
      await page.waitForSelector(".explorer .srv-head");
      await page.waitForTimeout(400);
      await act(page);
      await page.waitForTimeout(250);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) fault(`${name} ${width}x${height}: ${wide} px too wide`);
      await page.screenshot({ path: `${out}/explorer-${name}-${width}x${height}-${theme}.png` });
      await page.close();
    }
  }
}
await browser.close();
await vite.close();
console.log(`pictures in ${out}, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
