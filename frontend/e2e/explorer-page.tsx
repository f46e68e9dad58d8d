// The window over the fake backend, with an attachment of its own in the session on screen: for
// pictures and figures of the explorer. Only vite's server has it; no build does.
import agents from "../src/backend/golden/agents.json";
import "../src/ui/all.css";
import { createRoot } from "react-dom/client";
import { App } from "../src/app";
import { createFake } from "../src/backend/fake";
import type * as t from "../src/backend/types";
import { fullCatalog, oddCatalog } from "../src/features/explorer/sample";
import { connect } from "../src/state/connect";
import { hydrate } from "../src/state/hydrate";
import { newStore } from "../src/state/store";

const query = new URLSearchParams(location.search);
const scene = query.get("scene") ?? "";
const session = "s_codex";

// As Go writes it.
const agent = agents.find((one) => one.id === "codex") as t.AgentNames;

// What a scene changes of our own server and of the attachment.
const changes: Record<string, (server: t.event.Server, all: t.Attachment) => void> = {
  odd: (server, all) => put(server, all, oddCatalog()),
  full: (server, all) => put(server, all, fullCatalog()),
  long: (server, all) => put(server, all, fullCatalog()), // over 10,000 items of a conversation
  changed: (server, all) => {
    put(server, all, fullCatalog());
    server.tools_changed = true;
  },
  thousand: (server, all) => put(server, all, fullCatalog(1000, 400)),
  unlisted: (server, all) => {
    bare(server, all);
    Object.assign(server, { status: "connected" });
    delete server.times.listed;
    delete server.times.used;
  },
  none: (server, all) => {
    bare(server, all);
    server.tool_count = 0;
  },
  counting: (server) => Object.assign(server, { counting: true, tokens_total: undefined }),
  uncounted: (server, all) => {
    Object.assign(server, { tokens_total: undefined, method: undefined });
    for (const entry of all.catalog?.entries ?? [])
      Object.assign(entry, { estimate: undefined, parts: undefined });
  },
  closed: (server) =>
    Object.assign(server, { status: "disconnected", times: { ...server.times, closed: Date.now() } }),
  failed: (server, all) => {
    bare(server, all);
    Object.assign(server, {
      status: "failed",
      summary: "The agent refused the session: connection refused.",
    });
    server.times = {
      configured: server.times.configured,
      delivered: server.times.delivered,
      failed: Date.now(),
    };
  },
  past: (_, all) => {
    all.live = false;
  },
  many: (server, all) => {
    all.live = false;
    const servers = Array.from({ length: 20 }, (_, n) => ({
      ...server,
      name: `own_${String(n).padStart(2, "0")}`,
      source: "person",
      status: n === 19 ? "filtered" : "delivered",
      summary: n === 19 ? "This agent takes no SSE." : undefined,
      tool_count: undefined,
      tokens_total: undefined,
      times: n === 19 ? { configured: 1, observed: 2 } : { configured: 1, delivered: 2, observed: 2 },
    }));
    all.attempts.at(-1)?.servers.splice(1, Number.POSITIVE_INFINITY, ...servers);
  },
};

function bare(server: t.event.Server, all: t.Attachment) {
  Object.assign(server, { tool_count: undefined, tokens_total: undefined, tools_changed: false, stored: 0 });
  all.catalog = undefined;
}

function put(server: t.event.Server, all: t.Attachment, catalog: t.Catalog) {
  all.catalog = catalog;
  Object.assign(server, {
    tool_count: catalog.total,
    stored: catalog.entries.length,
    tokens_total: catalog.tokens_total,
    tokens_cover: catalog.tokens_cover,
  });
}

const fake = createFake({ theme: query.get("theme") ?? "", long: scene === "long" });
let made: t.Attachment | undefined;

async function attachment(id: string): Promise<t.Attachment> {
  if (id !== session) return fake.backend.attachment(id);
  if (!made) {
    made = { ...(await fake.backend.attachment(id)), agent };
    for (const attempt of made.attempts)
      attempt.servers = attempt.servers.map((server) => ({ ...server, times: { ...server.times } }));
    const server = made.attempts.at(-1)?.servers.find((one) => one.source === "builtin");
    if (server) changes[scene]?.(server, made);
  }
  return structuredClone(made);
}

const backend = {
  ...fake.backend,
  attachment,
  snapshot: async () => {
    const snapshot = await fake.backend.snapshot();
    const whole = await attachment(session);
    const all = whole.attempts.at(-1)?.servers ?? [];
    const servers = scene === "many" ? cut(all) : all;
    return {
      ...snapshot,
      attachments: snapshot.attachments.map((one) =>
        one.session === session ? { ...one, live: whole.live, servers } : one,
      ),
    };
  },
};

// As a snapshot's bound leaves them: a few whole, some with name and status, the others not at all.
function cut(servers: t.event.Server[]): t.event.Server[] {
  return servers.slice(0, 9).map((server, n) =>
    n < 5
      ? server
      : {
          ...server,
          target: undefined,
          reason: undefined,
          summary: undefined,
          times: { delivered: server.times.delivered },
        },
  );
}

const place = document.getElementById("root");
if (place) {
  const store = newStore();
  Object.assign(window, { kandevStore: store, kandevBackend: backend });
  connect(backend, fake.events, store);
  const hydration = hydrate(backend, store);
  createRoot(place).render(<App kandev={{ store, backend, retry: hydration.retry }} />);
}
