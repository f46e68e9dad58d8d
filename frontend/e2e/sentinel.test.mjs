// What may be where (spec "Attachment evidence"): one sentinel for each field of a run, looked for
// in every byte of the data folder and in every column of the database.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { api, closeBrowser, inState, openPage, say } from "./page.mjs";
import { commandOf, descendants } from "./processes.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const argument = "S3NT-argument-0a1b";
const result = "S3NT-result-2c3d";
const answer = "S3NT-answer-4e5f";

// What person and agent wrote or showed may be in these columns and nowhere else.
const written = ["transcript.text", "transcript.tool", "transcript.raw"];
const asked = [...written, "question.questions", "question.context", "question.answers"];

function files(home) {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// The columns of the database that hold a text, in one query: a process for each would take seconds.
function columns(file, text) {
  const sql = (query) =>
    String(execFileSync("sqlite3", ["-readonly", file, query]))
      .trim()
      .split("\n")
      .filter(Boolean);
  const looks = sql(
    "SELECT printf('SELECT ''%s.%s'' WHERE EXISTS (SELECT 1 FROM \"%w\" WHERE instr(CAST(\"%w\" AS TEXT), ''TEXT'') > 0)'," +
      " m.name, c.name, m.name, c.name) FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
  );
  return sql(looks.join(" UNION ALL ").replaceAll("'TEXT'", `'${text}'`));
}

// The secrets that the agent holds, read from its memory: its MCP address and its bearer.
function secretsOf(pid) {
  const found = new Set();
  const memory = openSync(`/proc/${pid}/mem`, "r");
  for (const line of readFileSync(`/proc/${pid}/maps`, "latin1").split("\n")) {
    const range = line.match(/^([0-9a-f]+)-([0-9a-f]+) rw/);
    if (!range) continue;
    const [from, to] = [Number.parseInt(range[1], 16), Number.parseInt(range[2], 16)];
    const bytes = Buffer.alloc(Math.min(to - from, 64 << 20));
    let n = 0;
    try {
      n = readSync(memory, bytes, 0, bytes.length, from);
    } catch {
      continue; // a reserved range without pages
    }
    const text = bytes.toString("latin1", 0, n);
    for (const hit of text.matchAll(/Bearer ([\w.~+/-]{20,200})|127\.0\.0\.1:\d+(\/[\w/-]{16,200})/g))
      found.add(hit[1] ?? hit[2]);
  }
  closeSync(memory);
  return [...found];
}

test("sentinels: only where they may be, our bearer nowhere", async (t) => {
  const app = await startApp(t, newHome(t), { env: { S3NT_ENVIRONMENT: "S3NT-environment-6a7b" } });
  const page = await openPage(t, app);
  const { id } = await inState(page, "ready");
  await say(page, `create_task {"title": "T", "prompt": "${result}"}`);
  await inState(page, "ready");
  const task = await until("the task", async () =>
    (await api(page, "Snapshot")).tasks.find((row) => row.title === "T"),
  );
  await say(page, `get_task {"task_id": "${task.id}"}`);
  await inState(page, "ready");
  await say(page, `get_task {"task_id": "${argument}"}`);
  await inState(page, "ready");
  await say(page, `ask_user_question {"questions":[{"prompt":"${argument}?"}],"context":"${argument}"}`);
  await page.getByRole("textbox", { name: "Your answer" }).fill(answer);
  await page.keyboard.press("Control+Enter");
  await inState(page, "ready");

  const agent = descendants(app.pid).find((pid) => / agent( |$)/.test(commandOf(pid)));
  let secrets = [];
  try {
    secrets = secretsOf(agent);
  } catch (error) {
    t.diagnostic(`the agent's memory cannot be read: ${error.code}`);
  }
  if (secrets.length > 0) t.diagnostic(`${secrets.length} secrets of the agent looked for`);
  const token = await page.evaluate(async () => {
    const reply = await fetch("/kandev/token", { headers: { "X-Kandev-Page": "1" } });
    return (await reply.json()).token;
  });
  const diagnostics = await api(page, "Diagnostics", id);
  const database = join(app.home, "kandev.db");
  await until("the answer to be stored", () => columns(database, answer).length > 0);
  const check = () => {
    assert.deepEqual(
      columns(database, argument).filter((c) => !asked.includes(c)),
      [],
    );
    assert.deepEqual(
      columns(database, answer).filter((c) => !asked.includes(c)),
      [],
    );
    assert.deepEqual(
      columns(database, result).filter((c) => ![...written, "task.description"].includes(c)),
      [],
    );
    assert.ok(columns(database, argument).includes("transcript.tool"), "the test sees what is there");
    for (const path of files(app.home)) {
      const bytes = readFileSync(path);
      for (const secret of [...secrets, token, "S3NT-environment-6a7b"])
        assert.ok(!bytes.includes(secret), `a secret is in ${path}`);
      if (!path.startsWith(database))
        for (const text of [argument, result, answer])
          assert.ok(!bytes.includes(text), `${text} is in ${path}`);
    }
  };
  check();
  for (const text of [argument, result, answer, token, ...secrets]) assert.ok(!diagnostics.includes(text));
  assert.equal(await app.quit(), 0);
  check();
});
