import { BackendError } from "./error";
import type * as t from "./types";

// The agents and the person's own servers of the fake: samples, no facts.

const facts = (starts: string, name: string, limit: number, more: Partial<t.AgentFacts> = {}) => ({
  starts,
  model_name: name,
  name_limit: limit,
  beyond_limit: limit ? "cuts it and adds a hash" : "",
  defers_tools: false,
  ignores_changes: false,
  ignores_servers: false,
  keeps_its_context: true,
  measured_with: "",
  client: { rewrite_keys: [] },
  ...more,
});

const found = { installed: true, embedded: false, pending: false, place: "PATH", login_state: "unknown" };
const missing = { installed: false, embedded: false, pending: false, login_state: "unknown" };

export const agents: t.Agent[] = [
  {
    ...found,
    id: "toolbench",
    name: "Toolbench",
    version: "0.1.0",
    embedded: true,
    login_state: "none",
    facts: facts("agent", "{tool}", 0),
  },
  {
    ...found,
    id: "claude",
    name: "Claude Code",
    version: "2.1.318",
    path: "/home/ada/.npm-global/bin/claude-agent-acp",
    place: "npm",
    login: "claude-agent-acp --cli auth login",
    login_state: "found",
    login_note: "The file ~/.claude/.credentials.json is there.",
    facts: facts("claude-agent-acp", "mcp__{server}__{tool}", 128, {
      beyond_limit: "drops the tool",
      defers_tools: true,
      measured_with: "Claude Code 2.1.318",
    }),
  },
  {
    ...found,
    id: "codex",
    name: "Codex",
    version: "0.166.0",
    path: "/usr/local/bin/codex-acp",
    login: "codex login",
    facts: facts("codex-acp", "mcp__{server}__{tool}", 128, {
      defers_tools: true,
      ignores_changes: true,
      measured_with: "Codex 0.166.0",
    }),
  },
  {
    ...found,
    id: "gemini",
    name: "Gemini",
    version: "0.61.0",
    path: "/usr/local/bin/gemini",
    login: "gemini",
    login_state: "missing",
    login_note: "It asked for a login when it was started last.",
    facts: facts("gemini --acp", "mcp_{server}_{tool}", 63, { measured_with: "Gemini CLI 0.61.0" }),
  },
  {
    ...missing,
    id: "opencode",
    name: "OpenCode",
    install: "npm install -g opencode-ai",
    facts: facts("opencode acp", "{server}_{tool}", 0),
  },
  {
    ...missing,
    id: "auggie",
    name: "Auggie",
    install: "npm install -g @augmentcode/auggie",
    facts: facts("auggie --acp", "{tool}_{server}", 64),
  },
];

/** The person's own servers, in memory. */
export class FakeServers {
  private made = 0;
  private all: t.OwnServer[] = [
    {
      id: "m_1",
      agent: "claude",
      name: "github",
      transport: "http",
      url: "https://api.example.com/mcp",
      command: "",
      args: [],
      env: [],
      headers: ["Authorization"],
      unstored: [],
      off: false,
    },
    {
      id: "m_2",
      agent: "claude",
      name: "filesystem",
      transport: "stdio",
      url: "",
      command: "npx",
      args: ["-y", "@example/server-filesystem", "/home/ada/src"],
      env: ["FS_TOKEN"],
      headers: [],
      unstored: [],
      off: true,
    },
  ];
  private ask = false;

  list(agent: string): t.OwnServers {
    return {
      servers: this.all.filter((server) => server.agent === agent),
      ask: this.ask,
      encrypted: true,
      place: "Values of headers and environment are kept in the keychain of this system.",
    };
  }

  askAlways(on: boolean) {
    this.ask = on;
    if (on) this.all = this.all.map((s) => ({ ...s, unstored: [...s.env, ...s.headers] }));
  }

  save(change: t.ServerChange): string {
    if (change.name.replaceAll(/\s/g, "").toLowerCase() === "kandev")
      throw new BackendError("failed", "The server name kandev is reserved for Kandev's own server.");
    if (change.name.trim() === "") throw new BackendError("failed", "It needs a name.");
    const id = change.id || `m_new${++this.made}`;
    const names = (values: t.ServerValue[]) => values.map((value) => value.name);
    const kept: t.OwnServer = {
      ...change,
      id,
      env: names(change.env),
      headers: names(change.headers),
      unstored: [],
    };
    const at = this.all.findIndex((server) => server.id === id);
    this.all = at < 0 ? [...this.all, kept] : this.all.with(at, kept);
    return id;
  }

  remove(id: string) {
    this.all = this.all.filter((server) => server.id !== id);
  }

  read(agent: string, text: string): t.ServerImport {
    let servers: Record<string, { command?: string }>;
    try {
      servers = JSON.parse(text).mcpServers ?? {};
    } catch {
      throw new BackendError("failed", "No MCP servers were found in this text: it is no JSON object.");
    }
    const rest = { agent, id: "", transport: "stdio", url: "", args: [], env: [], headers: [], off: false };
    const take = (name: string, command: string) => {
      try {
        this.save({ ...rest, name, command } as unknown as t.ServerChange);
        return { name, reason: "", notes: [] };
      } catch (error) {
        return { name, reason: String((error as Error).message), notes: [] };
      }
    };
    return {
      servers: Object.entries(servers).map(([name, entry]) => take(name, entry.command ?? "")),
      others: [],
    };
  }
}
