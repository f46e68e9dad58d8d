// The app as a process: its dev-tagged binary with a data folder of its own, started, killed, ended.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "./cleanup.mjs";
import { descendants } from "./processes.mjs";
import { until } from "./until.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The binary under test and the built front end that it serves. */
export const binary = resolve(process.env.KANDEV_BIN ?? join(root, "build/bin/kandev-desktop-dev"));
export const dist = resolve(process.env.KANDEV_DIST ?? join(root, "frontend/dist"));

/** What is missing before any test can run; "" when nothing is. */
export function ready() {
  if (!existsSync(binary)) return `${binary} is not there; run make build-dev`;
  if (!existsSync(join(dist, "index.html"))) return `${dist} holds no built front end; run make front`;
  return "";
}

/** A new data folder that goes with the test. */
export function newHome(t) {
  const home = mkdtempSync(join(tmpdir(), "kandev-e2e-"));
  atEnd(t, () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return home;
}

/** A loopback port that was free a moment ago. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * Starts the app and waits until it serves its page. The desktop window stays blank, so the
 * browser of the test is its only client. Whatever still runs when the test ends is killed.
 */
export async function startApp(t, home, { env = {}, serves = true } = {}) {
  const port = await freePort();
  const child = spawn(binary, [], {
    env: {
      ...process.env,
      assetdir: dist,
      devserver: `127.0.0.1:${port}`,
      loglevel: "error",
      SHELL: "/bin/sh", // the person's own may take seconds to say its PATH
      KANDEV_E2E_BLANK: "1",
      KANDEV_HOME: home,
      KANDEV_KEYCHAIN: "off", // the keychain of whoever runs the tests is theirs
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const app = { pid: child.pid, home, url: `http://127.0.0.1:${port}/`, port, stderr: "", code: undefined };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (app.stderr += bytes));
  child.on("exit", (code, signal) => {
    app.code = code ?? signal;
  });
  // Its code or signal. What it still saves or stops when it quits has ten seconds of the app's own.
  app.ended = async () => {
    await until("the app to end", () => app.code !== undefined, 20_000);
    return app.code;
  };
  app.kill = async () => {
    child.kill("SIGKILL");
    await app.ended();
  };
  app.quit = async () => {
    child.kill("SIGTERM");
    return app.ended();
  };
  atEnd(t, async () => {
    if (app.code !== undefined) return;
    const below = descendants(app.pid);
    await app.kill();
    for (const pid of below) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has gone with its parent.
      }
    }
  });
  if (serves) await until("the page to be served", () => served(app));
  return app;
}

async function served(app) {
  if (app.code !== undefined) throw new Error(`the app ended with ${app.code}: ${app.stderr}`);
  try {
    return (await fetch(app.url)).ok;
  } catch {
    return false;
  }
}
