// An agent of the tests: speaks ACP on its standard input and output without any library, and does
// what a prompt says: "tasks" calls a kandev tool over HTTP, "ask" asks for permission, "run LINE" runs
// a line of shell in a terminal of the client, "stream N" says N pieces, "who" says what it was started with.
import { createInterface } from "node:readline";

const open = new Map();
let made = 0;
let mcp;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function ask(method, params) {
  const id = `r${++made}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
}

const update = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

// One JSON-RPC request over Streamable HTTP; the answer is JSON or the last event of a stream.
async function post(body) {
  const headers = Object.fromEntries(mcp.headers.map(({ name, value }) => [name, value]));
  const answer = await fetch(mcp.url, {
    method: "POST",
    headers: {
      ...headers,
      ...(mcp.session ? { "Mcp-Session-Id": mcp.session } : {}),
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
  });
  mcp.session ??= answer.headers.get("Mcp-Session-Id") ?? undefined;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status} ${text}`);
  const data =
    text
      .match(/^data: (.*)$/gm)
      ?.at(-1)
      ?.slice("data: ".length) ?? text;
  return data === "" ? undefined : JSON.parse(data).result;
}

async function connect(server) {
  mcp = { ...server };
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "acp-agent", version: "1" },
  };
  await post({ id: 1, method: "initialize", params: hello });
  await post({ method: "notifications/initialized" });
  await post({ id: 2, method: "tools/list" });
}

const verbs = {
  async tasks(sessionId) {
    update(sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "t1",
      title: "List tasks",
      name: "list_tasks_kandev",
      status: "in_progress",
    });
    const result = await post({
      id: 3,
      method: "tools/call",
      params: { name: "list_tasks_kandev", arguments: {} },
    });
    update(sessionId, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "completed",
      content: [{ type: "content", content: result.content[0] }],
    });
    say(sessionId, `listed ${JSON.parse(result.content[0].text).tasks.length}`);
  },

  async ask(sessionId) {
    const toolCall = { toolCallId: "t2", title: "Remove everything", kind: "delete", status: "pending" };
    update(sessionId, { sessionUpdate: "tool_call", ...toolCall });
    const { outcome } = await ask("session/request_permission", {
      sessionId,
      toolCall,
      options: [
        { optionId: "yes", name: "Allow once", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    });
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "t2", status: "completed" });
    say(sessionId, `answered ${outcome.optionId}`);
  },

  async run(sessionId, line) {
    const { terminalId } = await ask("terminal/create", { sessionId, command: "sh", args: ["-c", line] });
    const toolCallId = `t${++made}`;
    const content = [{ type: "terminal", terminalId }];
    update(sessionId, {
      sessionUpdate: "tool_call",
      toolCallId,
      title: line,
      kind: "execute",
      status: "in_progress",
      content,
    });
    const exit = await ask("terminal/wait_for_exit", { sessionId, terminalId });
    const { output } = await ask("terminal/output", { sessionId, terminalId });
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
    await ask("terminal/release", { sessionId, terminalId });
    say(sessionId, `ran ${output.length} characters, exit ${exit.exitCode ?? exit.signal}`);
  },

  // A piece of a message every 20 ms, and a new message at each tenth.
  async stream(sessionId, pieces) {
    for (let n = 0; n < Number(pieces); n++) {
      const content = { type: "text", text: `word ${n} ` };
      update(sessionId, {
        sessionUpdate: "agent_message_chunk",
        messageId: `m${Math.floor(n / 10)}`,
        content,
      });
      await new Promise((done) => setTimeout(done, 20));
    }
    say(sessionId, `streamed ${pieces}`);
  },

  async who(sessionId) {
    say(sessionId, `key ${process.env.HOUSE_KEY?.length ?? 0}, words ${process.argv.slice(2).join("|")}`);
  },
};

const methods = {
  initialize: ({ clientCapabilities }) => {
    if (!clientCapabilities.terminal) throw new Error("the client has no terminals");
    return {
      protocolVersion: 1,
      agentInfo: { name: "acp-agent", version: "1.2.3" },
      agentCapabilities: { mcpCapabilities: { http: true } },
    };
  },
  "session/new": async ({ mcpServers }) => {
    await connect(mcpServers.find(({ name }) => name === "kandev"));
    return { sessionId: "s1" };
  },
  "session/prompt": async ({ sessionId, prompt }) => {
    const [verb, ...rest] = prompt.at(-1).text.split(" ");
    await (verbs[verb] ?? (async () => say(sessionId, `you said ${verb}`)))(sessionId, rest.join(" "));
    return { stopReason: "end_turn" };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    const waiting = open.get(message.id);
    open.delete(message.id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result);
  } else if (message.id !== undefined) {
    // Not waited for: the answers to what a turn asks arrive on the same line.
    Promise.resolve(message.params)
      .then(methods[message.method])
      .then((result) => send({ id: message.id, result }))
      .catch((error) => send({ id: message.id, error: { code: -32603, message: error.message } }));
  }
}
