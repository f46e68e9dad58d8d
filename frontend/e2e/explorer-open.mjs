// Figures of the explorer. `openExplorer` and `listToPaint` work on any page that shows the window;
// run by itself (`node e2e/explorer-open.mjs`) it measures a full catalog over the fake backend:
// 128 tools, almost 512 KiB of schemas.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, createServer, preview } from "vite";
import { launch } from "./chromium.mjs";

/** Opens the explorer by its button; answers the ms from the click to the painted rows. */
export function openExplorer(page) {
  return page.evaluate(
    () =>
      new Promise((done, failed) => {
        const trigger = document.getElementById("plug");
        if (!trigger) return failed(new Error("no plug"));
        const limit = setTimeout(() => failed(new Error("no rows after 5 s")), 5000);
        const start = performance.now();
        const look = () => {
          if (!document.querySelector(".explorer .tool")) return requestAnimationFrame(look);
          // The frame that holds the rows is on the screen when the next task runs.
          requestAnimationFrame(() => {
            setTimeout(() => {
              clearTimeout(limit);
              done(performance.now() - start);
            }, 0);
          });
        };
        // As a pointer would.
        trigger.focus();
        trigger.click();
        requestAnimationFrame(look);
      }),
  );
}

/**
 * Waits until a list of a newer revision is painted in the open explorer; answers the ms since
 * `since`, a Date.now() of this machine, such as when the list was served.
 */
export function listToPaint(page, { since, revision = 0, tools }) {
  return page.evaluate(
    ({ since, revision, tools }) =>
      new Promise((done, failed) => {
        const limit = setTimeout(() => failed(new Error("no newer list was painted in 10 s")), 10_000);
        const look = () => {
          const mark = performance.getEntriesByName("explorer/list-painted").at(-1);
          const { detail } = mark ?? {};
          const fits =
            detail && detail.revision >= revision && (tools === undefined || detail.tools === tools);
          if (!fits) return setTimeout(look, 4);
          clearTimeout(limit);
          done(performance.timeOrigin + mark.startTime - since);
        };
        look();
      }),
    { since, revision, tools },
  );
}

/** Serves the front end as vite does in development, on a free port. */
export async function serve() {
  const server = await createServer({
    root: fileURLToPath(new URL("..", import.meta.url)),
    // Files that change meanwhile must not load the page again.
    server: { port: 0, host: "127.0.0.1", hmr: false, watch: null },
    logLevel: "error",
  });
  await server.listen();
  const url = `http://127.0.0.1:${server.httpServer.address().port}/e2e/explorer.html`;
  return { server, url };
}

/** Serves the page of this folder built as the product is: for figures. */
async function serveBuilt() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const outDir = mkdtempSync(join(tmpdir(), "kandev-explorer-"));
  const options = { outDir, emptyOutDir: true, rolldownOptions: { input: join(root, "e2e/explorer.html") } };
  await build({ root, logLevel: "error", publicDir: false, build: options });
  const server = await preview({
    root,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  const url = `http://127.0.0.1:${server.httpServer.address().port}/e2e/explorer.html`;
  return { url, close: () => server.close().then(() => rmSync(outDir, { recursive: true, force: true })) };
}

/** Opens the explorer on a full catalog 14 times; answers median and longest in ms. */
export async function measureOpen() {
  const { url, close } = await serveBuilt();
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  // What the page's own thread worked, in ms: other than the clock it does not count a busy machine.
  const worked = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  const clock = [];
  const work = [];
  for (let n = 0; n < 7; n++) {
    await page.goto(`${url}?scene=full`);
    await page.waitForFunction(() => window.kandevStore?.getState().loadedAttachments.s_codex);
    await page.waitForTimeout(800);
    for (let again = 0; again < 2; again++) {
      const before = await worked();
      clock.push(await openExplorer(page));
      work.push((await worked()) - before);
      await page.keyboard.press("Escape");
      await page.waitForTimeout(300);
    }
  }
  const figure = (list, at) => Number(list.sort((a, b) => a - b)[at].toFixed(1));
  await browser.close();
  await close();
  return {
    explorer_open_ms: figure(clock, clock.length >> 1),
    explorer_open_most_ms: figure(clock, clock.length - 1),
    explorer_open_thread_ms: figure(work, work.length >> 1),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measureOpen()));
