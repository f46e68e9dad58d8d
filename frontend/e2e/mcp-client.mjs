// A small MCP client of the tests: it speaks JSON-RPC over HTTP by hand, hears what the server says
// unasked, and lists again only when it is told to.
import { atEnd } from "./cleanup.mjs";

export async function connect(t, { url, bearer }) {
  const headers = {
    Authorization: `Bearer ${bearer}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  let made = 0;
  const post = async (method, params, id) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await fetch(url, { method: "POST", headers, body });
    const session = answer.headers.get("Mcp-Session-Id");
    if (session) headers["Mcp-Session-Id"] = session;
    const text = await answer.text();
    if (id === undefined) return undefined;
    const data = text.startsWith("{") ? text : (/^data: ?(\{.*)$/m.exec(text)?.[1] ?? "null");
    return JSON.parse(data);
  };
  const ask = async (method, params = {}) => (await post(method, params, ++made)).result;
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "by-hand", version: "1" },
  });
  await post("notifications/initialized");

  const heard = [];
  const stop = new AbortController();
  atEnd(t, () => stop.abort());
  const stream = await fetch(url, {
    headers: { ...headers, Accept: "text/event-stream" },
    signal: stop.signal,
  });
  const listen = async () => {
    let rest = "";
    for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const data = /^data: ?(\{.*)$/.exec(line)?.[1];
        if (data) heard.push(JSON.parse(data).method ?? "");
      }
    }
  };
  listen().catch(() => {}); // it ends with the test
  return {
    changes: () => heard.filter((method) => method === "notifications/tools/list_changed").length,
    list: async () => (await ask("tools/list")).tools.map((tool) => tool.name),
    call: (name, args) => ask("tools/call", { name, arguments: args }),
  };
}
