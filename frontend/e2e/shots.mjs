// Pictures of the window over the fake backend: `npm run shots [-- NAME…]`. They go to SHOTS, else
// to build/tmp/shots, and are for eyes, not for a comparison by bytes. A page error or a
// sideways overflow makes it fail.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { createServer } from "vite";
import { launch } from "./chromium.mjs";

const out = resolve(process.env.SHOTS ?? new URL("../../build/tmp/shots", import.meta.url).pathname);
// Width, height, theme. 480 by 320 is the smallest window at 200 %.
const looks = [
  [1280, 860, "light"],
  [1280, 860, "dark"],
  [1280, 860, "forced"],
  [960, 640, "light"],
  [640, 400, "light"],
  [640, 400, "dark"],
  [480, 320, "light"],
];
const open = (key) => async (page) => {
  await page.waitForSelector(".top-state");
  await page.keyboard.press(key);
  await page.waitForTimeout(250);
};
const goTo = (name) => async (page) => {
  await page.waitForSelector(".top-state");
  await page.keyboard.press("Control+k");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(400);
};

const agentPage = async (page) => {
  await page.waitForSelector(".top-state");
  await page.evaluate(() => document.querySelector(".rail-foot button:nth-child(2)")?.click());
  await page.getByRole("navigation", { name: "Settings" }).getByRole("button", { name: "Agents" }).click();
  await page.locator(".agents").waitFor();
};
// The page of plugins on one of them, then what the person does there.
const plugins =
  (name, act = async () => {}) =>
  async (page) => {
    await page.waitForSelector(".top-state");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Plugins");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".pl-head");
    await page.evaluate((id) => window.kandevStore.setState({ plugin: id }), name);
    await page.waitForTimeout(150);
    await act(page);
    await page.waitForTimeout(250);
  };
const install = (path) =>
  plugins("ledgerql", async (page) => {
    await page.evaluate(
      (path) => window.kandevStore.setState({ dialog: "install-plugin", subject: path }),
      path,
    );
    await page.waitForTimeout(200);
  });

/** name, scene of the fake backend, what the person does first */
const scenes = [
  ["session", "", async (page) => page.waitForTimeout(400)],
  ["first-run", "first", async (page) => page.waitForSelector(".bench")],
  ["ask", "", goTo("Export statements")],
  [
    "ask-top",
    "",
    async (page) => {
      await goTo("Export statements")(page);
      await page.evaluate(() =>
        document.querySelector(".ask[data-open]")?.scrollIntoView({ block: "start" }),
      );
      await page.waitForTimeout(200);
    },
  ],
  ["failed", "", goTo("auggie")],
  ["new-session", "", open("n")],
  ["ask-values", "values", async (page) => page.waitForSelector(".ask-values input")],
  [
    "settings-servers",
    "",
    async (page) => {
      await agentPage(page);
      await page
        .getByRole("navigation", { name: "Settings" })
        .getByRole("button", { name: "MCP servers" })
        .click();
      await page.getByRole("button", { name: /^For/ }).click();
      await page.getByRole("menuitemradio", { name: "Claude Code" }).click();
      await page.getByRole("switch").last().click();
      await page.getByRole("button", { name: "Forget them" }).scrollIntoViewIfNeeded();
    },
  ],
  ["settings-agents", "", agentPage],
  [
    "agent-login",
    "",
    async (page) => {
      await agentPage(page);
      await page.getByRole("button", { name: "Log in…" }).last().click();
      await page.getByRole("button", { name: "Log in…" }).last().click();
      await page.getByRole("button", { name: "Log in: Account" }).waitFor();
      await page.getByRole("button", { name: "Cancel login" }).scrollIntoViewIfNeeded();
    },
  ],
  ["palette", "", open("Control+k")],
  ["keys", "", open("?")],
  [
    "settings",
    "",
    async (page) => page.click("text=Settings >> visible=true", { timeout: 2000 }).catch(() => {}),
  ],
  [
    "hover-card",
    "",
    async (page) => {
      await page.hover("#plug");
      await page.waitForSelector(".hover-card");
      await page.waitForTimeout(200);
    },
  ],
  ["quit", "quit notices", async (page) => page.waitForSelector("[role=dialog]")],
  ["empty", "empty", async (page) => page.waitForTimeout(400)],
  ["down", "down", async (page) => page.waitForTimeout(400)],
  ["loading", "slow", async (page) => page.waitForTimeout(400)],
  ["explorer", "", open("Control+Shift+M")],
  [
    "streaming",
    "",
    async (page) => {
      await goTo("Idempotency")(page);
      await page.fill("#composer", "list_tasks {}");
      await page.keyboard.press("Control+Enter");
      await page.waitForTimeout(1500);
    },
  ],
  ["plugins", "", plugins("ledgerql")],
  ["plugins-tool", "", plugins("argocd", async (page) => page.click(".pl-row >> nth=0"))],
  [
    "plugins-end",
    "",
    plugins("ledgerql", async (page) =>
      page.evaluate(() => document.querySelector(".pl-page").scrollTo(0, 9999)),
    ),
  ],
  ["plugins-crash", "", plugins("stays")],
  ["plugins-bare", "", plugins("time")],
  [
    "plugins-empty",
    "empty",
    async (page) => {
      await page.waitForTimeout(300);
      await page.evaluate(() => window.kandevStore.setState({ page: "plugins" }));
      await page.waitForTimeout(300);
    },
  ],
  ["plugins-enable", "", plugins("ledgerql", async (page) => page.click("#plugin-switch"))],
  ["plugins-enable-bare", "", plugins("time", async (page) => page.click(".cap .btn"))],
  ["plugins-install", "", install("/home/ada/Downloads/slackpost-1.0.2.zip")],
  ["plugins-install-bare", "", install("/home/ada/slackpost.wasm")],
  ["plugins-install-broken", "", install("/home/ada/broken.zip")],
  ["plugins-update", "", install("/home/ada/ledger.zip")],
  ["plugins-install-none", "", install("/home/ada/notes.txt")],
  ["plugins-remove", "", plugins("ledgerql", async (page) => page.click(".pl-head .btn >> nth=1"))],
  [
    "drawer",
    "",
    async (page) => {
      await page.click(".narrow", { timeout: 1000 }).catch(() => {});
      await page.waitForTimeout(250);
    },
  ],
];

const wanted = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const server = await createServer({ server: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
await server.listen();
const address = server.httpServer.address();
const browser = await launch();
let faults = 0;

async function picture(name, fake, act, [width, height, theme]) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
  page.on("pageerror", (error) => {
    faults++;
    console.error(`${name}: ${error.message}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`${name}: ${message.text()}`);
  });
  if (theme === "forced") await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`http://127.0.0.1:${address.port}/?fake=${encodeURIComponent(fake)}&theme=${theme}`);
  await page.waitForSelector(".app");
  await act(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) {
    faults++;
    console.error(`${name} ${width}x${height}: ${wide} px too wide`);
  }
  await page.screenshot({ path: `${out}/${name}-${width}x${height}-${theme}.png` });
  await page.close();
}

for (const [name, fake, act] of scenes) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const look of looks) await picture(name, fake, act, look);
}
await browser.close();
await server.close();
console.log(`pictures in ${out}, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
