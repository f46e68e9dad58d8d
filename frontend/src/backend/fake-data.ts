import { catalog } from "./fake-tools";
import type * as t from "./types";

// The world of the fake backend: two projects, sessions in every state, one long conversation.

const minute = 60_000;
export const now = Date.now();
const ago = (minutes: number) => now - minutes * minute;

export const projects: t.event.Project[] = [
  {
    id: "p_ledger",
    name: "ledger",
    path: "/home/ada/src/ledger",
    agent: "codex",
    missing: false,
    sample: false,
    used_at: ago(1),
  },
  {
    id: "p_sample",
    name: "sample",
    path: "/home/ada/.local/share/kandev-desktop/sample",
    agent: "toolbench",
    missing: false,
    sample: true,
    used_at: ago(900),
  },
  {
    id: "p_gone",
    name: "old-\u202egnihtemos",
    path: "/media/stick/old",
    agent: "",
    missing: true,
    sample: false,
    used_at: ago(9000),
  },
];

const task = (id: string, title: string, step: string, seq: number, project = "p_ledger"): t.event.Task => ({
  id,
  project,
  title,
  step,
  seq,
  archived: false,
});

export const tasks: t.event.Task[] = [
  task("t_retry", "Retry webhook deliveries with backoff", "build", 9),
  task("t_csv", "Export statements as CSV", "build", 8),
  task("t_half", "Round half-even in totals", "build", 7),
  task("t_idem", "Idempotency keys on transfers", "plan", 6),
  task("t_rate", "Rate-limit the import endpoint", "review", 5),
  task("t_node", "Drop Node 18 from CI", "review", 4),
  task("t_old1", "Tidy the fixtures", "done", 3),
  task("t_back", "Nightly export \u202ereversed\u202c", "backlog", 2),
  task("t_look", "Look around", "plan", 1, "p_sample"),
];

const session = (
  id: string,
  taskId: string,
  agent: string,
  name: string,
  state: string,
  seq: number,
  more: Partial<t.event.Session> = {},
): t.event.Session => ({
  id,
  project: "p_ledger",
  task: taskId,
  agent,
  agent_name: name,
  embedded: agent === "toolbench",
  executor: "local",
  state,
  waiting: 0,
  archived: false,
  seq,
  revision: 1,
  since: ago(4.2),
  created_at: ago(60),
  ...more,
});

export const sessions: t.event.Session[] = [
  session("s_codex", "t_retry", "codex", "Codex 0.166.0", "working", 20, { revision: 20 }),
  session("s_claude", "t_retry", "claude", "Claude Code 2.1.318", "ready", 12),
  session("s_gemini", "t_csv", "gemini", "Gemini 0.61.0", "working", 11, { waiting: 2, revision: 20 }),
  session("s_open", "t_half", "opencode", "OpenCode 1.4.0", "starting", 10),
  session("s_bench", "t_idem", "toolbench", "Toolbench 0.1.0", "ready", 9),
  session("s_rate", "t_rate", "claude", "Claude Code 2.1.318", "interrupted", 8),
  session("s_auggie", "t_rate", "auggie", "Auggie", "failed", 7, {
    reason: "The agent wants you to log in first.",
    login: true,
  }),
  session("s_node", "t_node", "opencode", "OpenCode 1.4.0", "stopped", 6),
  session("s_done", "t_old1", "codex", "Codex 0.166.0", "stopped", 5),
  session("s_look", "t_look", "toolbench", "Toolbench 0.1.0", "ready", 1, { project: "p_sample" }),
];

const builtin = (live: boolean, plugins: number): t.event.Server => {
  const list = catalog(plugins);
  return {
    name: "kandev",
    source: "builtin",
    transport: "http",
    target: "http://127.0.0.1:41237",
    status: live ? "active" : "disconnected",
    protocol: "2025-11-25",
    client: "codex-mcp-client 0.166.0",
    tool_count: list.total,
    stored: list.entries.length,
    truncated: list.truncated,
    tokens_total: list.tokens_total,
    tokens_cover: list.tokens_cover,
    method: list.method,
    counting: false,
    tools_changed: live && plugins > 0,
    times: {
      configured: ago(22),
      delivered: ago(22),
      accepted: ago(21.9),
      connected: ago(21.8),
      listed: ago(21.7),
      used: ago(1),
      closed: live ? undefined : ago(0.5),
    },
  };
};

const foreign = (name: string, status: string, more: Partial<t.event.Server>): t.event.Server => ({
  name,
  source: "person",
  transport: "stdio",
  status,
  stored: 0,
  truncated: false,
  tokens_cover: 0,
  counting: false,
  tools_changed: false,
  times: { configured: ago(22) },
  ...more,
});

function serversOf(s: t.event.Session): t.event.Server[] {
  const live = !["stopped", "failed", "interrupted"].includes(s.state);
  if (s.id === "s_open")
    return [
      {
        ...builtin(true, 0),
        status: "delivered",
        tool_count: undefined,
        tokens_total: undefined,
        times: { configured: ago(1), delivered: ago(1) },
      },
    ];
  if (s.id === "s_codex" || s.id === "s_rate")
    return [
      builtin(live, 134),
      foreign("filesystem", "delivered", {
        target: "mcp-server-filesystem",
        times: { configured: ago(22), delivered: ago(22) },
      }),
      foreign("github", "filtered", {
        transport: "sse",
        target: "https://api.example.com",
        reason: "transport",
        summary: "Codex takes no SSE.",
      }),
    ];
  return [builtin(live, 0)];
}

export function summaryOf(s: t.event.Session): t.event.Attachment {
  const live = !["stopped", "failed", "interrupted"].includes(s.state);
  return {
    session: s.id,
    attempt: "a_2",
    number: 2,
    live,
    started_at: ago(22),
    ended_at: live ? undefined : ago(0.5),
    end_reason: live ? undefined : "agent_ended",
    catalog_rev: 3,
    servers: serversOf(s),
  };
}

export function attachmentOf(s: t.event.Session): t.Attachment {
  const servers = serversOf(s);
  const live = !["stopped", "failed", "interrupted"].includes(s.state);
  return {
    session: s.id,
    live,
    catalog_rev: 3,
    agent: {
      id: s.agent,
      name: s.agent_name,
      form: "mcp__{server}__{tool}",
      limit: 64,
      beyond: "The tool is left out.",
      defers: false,
      keeps_list: s.agent === "codex",
      client: { rewrite_keys: [] },
      measured_with: s.agent_name,
    },
    attempts: [
      {
        id: "a_1",
        reason: "new",
        started_at: ago(80),
        ended_at: ago(22),
        end_reason: "stopped",
        superseded_by: "a_2",
        servers,
      },
      { id: "a_2", reason: "load", started_at: ago(22), servers },
    ],
    catalog: s.id === "s_open" ? undefined : catalog(s.id === "s_codex" || s.id === "s_rate" ? 122 : 0),
    uses: [{ tool: "kandev.list_tasks", calls: 12, errors: 1, last: ago(1) }],
    other_calls: 2,
    evidence: [
      { kind: "started", at: ago(22) },
      { kind: "delivered", server: "kandev", at: ago(22) },
      { kind: "tools_list_observed", server: "kandev", at: ago(21.7) },
    ],
  };
}

/** What a start of the fake waits for. */
export const askedServers: t.AskedServer[] = [
  { id: "m_1", name: "github", headers: ["Authorization"], env: [] },
  { id: "m_2", name: "filesystem", headers: [], env: ["FS_TOKEN", "FS_ROOT"] },
];
