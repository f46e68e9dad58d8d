// Real agents in the real window: found without a PATH that names them, one that wants a login, and
// one whose row goes from delivered to active. `KANDEV_AGENTS_PREFIX=DIR node e2e/window-agents.mjs`,
// where `npm install -g --prefix DIR @augmentcode/auggie @github/copilot` has put them. Offline: the
// model is a server here. Pictures go to build/proof/agents. Wants what window.mjs wants.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { until } from "./until.mjs";
import { openWindow } from "./webdriver.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const binary = resolve(process.env.KANDEV_PROD ?? join(root, "build/bin/kandev-desktop"));
const prefix = resolve(process.env.KANDEV_AGENTS_PREFIX ?? "");
const proof = join(root, "build/proof/agents");
const work = mkdtempSync(join(tmpdir(), "kandev-window-"));
const undo = [() => rmSync(work, { recursive: true, force: true })];
const person = join(work, "Ünï côde");
const shim = join(work, "shim.so");
const display = `:${90 + (process.pid % 400)}`;
const screen = { ...process.env, DISPLAY: display };

let step = 0;
async function picture(name, rest = 400) {
  await wait(rest); // what moves has come to rest
  const file = join(proof, `${String(++step).padStart(2, "0")}-${name}.png`);
  execFileSync("import", ["-window", "root", file], { env: screen });
  console.log(`${name}: ${file}`);
}

function start(command, ...args) {
  const child = spawn(command, args, { env: screen, stdio: "ignore" });
  undo.push(() => child.kill("SIGKILL"));
}

// A model that calls list_tasks_kandev once for each prompt: Augment's chat-stream, which Auggie
// speaks, and OpenAI's chat completions for Copilot.
async function provider() {
  const seen = { tools: [], asked: 0 };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      const kind = request.url.split("/").at(-1);
      const write = { "chat-stream": augment, completions: chat }[kind];
      if (!write) return void response.writeHead(404).end("{}");
      seen.asked++;
      response.writeHead(200, {
        "content-type": kind === "completions" ? "text/event-stream" : "application/json",
      });
      write(JSON.parse(text), (line) => response.write(line), seen);
      response.end();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  undo.push(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, seen };
}

const wanted = (names) => names.find((name) => name.includes("list_tasks_kandev"));

function augment(body, write, seen) {
  const names = (body.tool_definitions ?? []).map((tool) => tool.name);
  seen.tools = names.length > 0 ? names : seen.tools;
  const answered = (body.nodes ?? []).some((node) => node.tool_result_node);
  const line = (value) => write(`${JSON.stringify(value)}\n`);
  if (answered || !wanted(names)) {
    line({ text: "No task is open.", nodes: [{ id: 1, type: 0, content: "No task is open." }] });
    return line({ text: "", nodes: [{ id: 2, type: 2, content: "No task is open." }], stop_reason: 1 });
  }
  const use = { tool_use_id: `use_${seen.asked}`, tool_name: wanted(names), input_json: "{}" };
  line({ text: "", nodes: [{ id: 1, type: 5, content: "", tool_use: use }] });
  line({ text: "", nodes: [], stop_reason: 3 });
}

function chat(body, write, seen) {
  const names = (body.tools ?? []).map((tool) => tool.function?.name ?? "");
  seen.tools = names.length > 0 ? names : seen.tools;
  const answered = body.messages?.at(-1)?.role === "tool";
  const call = {
    index: 0,
    id: `call_${seen.asked}`,
    type: "function",
    function: { name: wanted(names), arguments: "{}" },
  };
  const text = answered || !wanted(names);
  const delta = text
    ? { role: "assistant", content: "No task is open." }
    : { role: "assistant", tool_calls: [call] };
  const chunk = (choice) =>
    write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "fake", choices: [choice] })}\n\n`,
    );
  chunk({ index: 0, delta });
  chunk({ index: 0, delta: {}, finish_reason: text ? "stop" : "tool_calls" });
  write("data: [DONE]\n\n");
}

async function open(env) {
  const given = {
    ...{ DISPLAY: display, WAYLAND_DISPLAY: "", SHELL: "/bin/false", KANDEV_KEYCHAIN: "off" },
    ...{ HOME: person, KANDEV_HOME: join(person, "data"), XDG_DATA_HOME: "", XDG_CONFIG_HOME: "" },
    ...{ PATH: "/usr/bin:/bin", NVM_DIR: "", NPM_CONFIG_PREFIX: "", npm_config_prefix: "" },
    ...env,
  };
  const window = await openWindow({ binary, shim, env: given });
  undo.push(() => window.close());
  window.kill = () => {
    try {
      process.kill(window.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
    window.close();
  };
  undo.push(window.kill);
  // One call of the bound API: begun by the first ask, read by the next.
  window.api = (method, ...args) =>
    until(method, () =>
      window.run(
        `const [method, args] = arguments; const key = method + JSON.stringify(args);
         window.answers ??= {}; const answers = window.answers;
         if (!(key in answers)) { answers[key] = ""; (async () => {
           const { token } = await (await fetch("/kandev/token", { headers: { "X-Kandev-Page": "1" } })).json();
           answers[key] = { value: await window.go.app.API[method](token, ...args) ?? true };
         })().catch((e) => { answers[key] = { error: String(e.message) }; }); }
         const answer = answers[key]; if (answer) delete answers[key]; return answer;`,
        method,
        args,
      ),
    ).then((answer) => {
      if (answer.error) throw new Error(`${method}: ${answer.error}`);
      return answer.value;
    });
  return window;
}

const shows = (window, text) =>
  window.wait(`"${text}" to be shown`, "return document.body.innerText.includes(arguments[0])", text);

// A new session by its dialog.
async function begin(window, agent, title) {
  await window.click("button", "New session");
  await shows(window, agent);
  const choose =
    "const l = [...document.querySelectorAll('.agent-list label')].find((l) => l.textContent.includes(arguments[0])); l?.click(); return !!l";
  await window.wait(`${agent} to choose`, choose, agent);
  await window.run("document.getElementById('new-title').focus()");
  await window.type(title);
  await picture(`new-session-${agent.toLowerCase()}`);
  await window.press("Enter");
}

// What the row of our own server says until it is active, by the page's own words.
async function watch(window, name) {
  const words = [];
  const end = Date.now() + 40_000;
  while (Date.now() < end && words.at(-1) !== "Active") {
    const word = await window.run(
      `const row = [...document.querySelectorAll('[role=dialog] [aria-current], [role=dialog] .srv, [role=dialog] li')].find((e) => e.textContent.includes('kandev'));
       const text = row?.textContent ?? ''; return ['Active', 'Connected', 'Delivered', 'Unknown', 'Failed', 'Last observed'].find((w) => text.includes(w)) ?? '';`,
    );
    if (word && word !== words.at(-1)) {
      words.push(word);
      await picture(`${name}-${word.toLowerCase().replaceAll(" ", "-")}`, 0);
    }
  }
  console.log(`${name}: the row said ${words.join(" → ")}`);
  return words;
}

async function timesOf(window, agent) {
  const { sessions } = await window.api("Snapshot");
  const { id } = sessions.find((one) => one.agent === agent);
  const { attempts } = await window.api("Attachment", id);
  const { times } = attempts.at(-1).servers[0];
  const at = (key) => (times[key] ? `${key} +${times[key] - times.delivered} ms` : `${key} not seen`);
  console.log(`${agent}: ${["delivered", "accepted", "connected", "listed", "used"].map(at).join(", ")}`);
}

async function say(window, text) {
  await window.run("document.getElementById('composer').focus()");
  await window.type(text);
  await window.press("Control+Enter");
  await shows(window, "No task is open.");
}

async function loggedOut() {
  const window = await open({ AUGMENT_SESSION_AUTH: "" });
  await shows(window, "Toolbench");
  await window.click("button", "Settings");
  await window.click("nav[aria-label=Settings] button", "Agents");
  await shows(window, "Logged out");
  await window.click("th button", "Auggie");
  await shows(window, join(person, ".npm-global/bin/auggie"));
  await picture("settings-auggie-logged-out");
  await window.click("section[aria-label='Ways to log in'] button", "Log in…");
  await shows(window, "This agent does not log in by itself.");
  await picture("settings-auggie-ways");
  await window.press("Escape");
  await begin(window, "Auggie", "Real Auggie");
  await shows(window, "The agent wants you to log in first.");
  await shows(window, "auggie login");
  await picture("auggie-wants-a-login");
  window.kill();
}

async function auggie(url) {
  const window = await open({
    AUGMENT_SESSION_AUTH: JSON.stringify({ accessToken: "dummy", tenantURL: `${url}/`, scopes: ["email"] }),
    AUGMENT_DISABLE_AUTO_UPDATE: "1",
  });
  await shows(window, "Real Auggie");
  await window.click("button", "Auggie");
  await window.press("Control+Shift+m");
  await shows(window, "MCP");
  const { sessions } = await window.api("Snapshot");
  const { id } = sessions.find((one) => one.agent === "auggie");
  await window.api("StartSession", id);
  await shows(window, "Waits for you"); // it asks whether it may index the folder before it connects
  await picture("auggie-delivered-and-asks");
  await window.press("Escape");
  await window.wait("its question", "return !!document.querySelector('.ask[data-open] button')");
  await picture("auggie-asks");
  console.log(
    `Auggie asks: ${await window.run("return document.querySelector('.ask[data-open]').innerText")}`,
  );
  await window.run("[...document.querySelectorAll('.ask[data-open] button')].at(-1).focus()");
  await window.press("Enter");
  await window.press("Control+Shift+m");
  const words = await watch(window, "auggie");
  assert.deepEqual(words.slice(-1), ["Active"]);
  await shows(window, "Tools loaded");
  await picture("auggie-explorer");
  await window.click(
    "[role=dialog] [role=row], [role=dialog] .t-row, [role=dialog] [role=option]",
    "ask_user_question",
  );
  await shows(window, "Arguments");
  await picture("auggie-tool");
  for (let n = 0; n < 3; n++) await window.press("Escape");
  await say(window, "Which tasks are open?");
  await picture("auggie-called");
  await timesOf(window, "auggie");
  window.kill();
}

async function copilot(url) {
  const env = {
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "fake",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
  };
  const window = await open(env);
  await shows(window, "Real Auggie");
  await window.api("SaveOwnServer", {
    id: "",
    agent: "copilot",
    name: "notes",
    transport: "stdio",
    url: "",
    command: "/bin/cat",
    args: [],
    env: [],
    headers: [],
    off: false,
  });
  await begin(window, "Copilot", "Real Copilot");
  await window.press("Control+Shift+m");
  const words = await watch(window, "copilot");
  assert.deepEqual(words.slice(-1), ["Active"]);
  await picture("copilot-explorer");
  await window.click("[role=dialog] button", "notes");
  await shows(window, "Not given to Copilot");
  await picture("copilot-stdio-filtered");
  for (let n = 0; n < 3; n++) await window.press("Escape");
  await say(window, "Which tasks are open?");
  await picture("copilot-called");
  await timesOf(window, "copilot");
  window.kill();
}

async function main() {
  rmSync(proof, { recursive: true, force: true });
  mkdirSync(proof, { recursive: true });
  mkdirSync(join(person, ".local"), { recursive: true });
  symlinkSync(prefix, join(person, ".npm-global"));
  symlinkSync(dirname(process.execPath), join(person, ".local", "bin")); // where node is
  const flags = execFileSync("pkg-config", ["--cflags", "--libs", "webkit2gtk-4.1"])
    .toString()
    .trim()
    .split(/\s+/);
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, join(root, "frontend/e2e/window-shim.c"), ...flags]);
  start("Xvfb", display, "-screen", "0", "1320x920x24", "-nolisten", "tcp", "-noreset");
  await until("the display", () => {
    try {
      execFileSync("xdotool", ["getdisplaygeometry"], { env: screen, stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
  start("openbox");
  const { url, seen } = await provider();
  await loggedOut();
  await auggie(url);
  console.log(
    `Auggie's provider was told of ${seen.tools.filter((name) => name.includes("kandev")).join(", ")}`,
  );
  assert.ok(!seen.tools.some((name) => name.includes("_kandev_kandev")));
  await copilot(url);
  console.log("real agents were seen in the real window");
}

try {
  await main();
} finally {
  for (const act of undo.reverse()) act();
}
