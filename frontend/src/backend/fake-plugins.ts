import { BackendError } from "./error";
import type * as t from "./types";

// Plugins of the fake backend: one in every state.

const at = (hours: number) => Date.now() - hours * 3_600_000;

const base: t.PluginPermissions = { hosts: [], private_network: false, memory_mb: 64, timeout_ms: 30_000 };
const nothing: t.PluginAsks = {
  nothing: true,
  hosts: [],
  private_network: false,
  memory_mb: 0,
  timeout_ms: 0,
};

function tool(slug: string, original: string, description: string, estimate: number): t.PluginTool {
  return {
    served: `kandev_${slug}_${original.toLowerCase().replaceAll("-", "_")}`,
    original,
    description,
    input_schema: '{"type":"object","properties":{"id":{"type":"string","description":"Which one"}}}',
    estimate,
    read_only: true,
  };
}

function plugin(change: Partial<t.Plugin> & { id: string; name: string }): t.Plugin {
  const tools = change.tools ?? [tool(change.id, "run", `Runs ${change.name}.`, 96)];
  return {
    version: "1.0.0",
    description: "",
    author: "Harbour Tools",
    license: "MIT",
    homepage: "",
    sha256: "4be107aa93d25c60e8f12f4790bb6a1dc35e88f07d2149a60e7bd9c413f8a52e",
    bare: false,
    state: "enabled",
    reason: "",
    detail: "",
    since: at(30),
    installed_at: at(30),
    updated_at: at(30),
    tokens_total: tools.reduce((sum, one) => sum + (one.estimate ?? 0), 0),
    requested: base,
    granted: base,
    asks: nothing,
    config: [],
    missing: [],
    runs: [],
    warnings: [],
    ...change,
    tools,
  };
}

const field = (key: string, change: Partial<t.PluginField> = {}): t.PluginField => ({
  key,
  type: "string",
  title: "",
  secret: false,
  required: false,
  added: false,
  set: false,
  value: "",
  ...change,
});

function samples(): t.Plugin[] {
  const ledger = { ...base, hosts: ["api.ledger.example"] };
  return [
    plugin({
      id: "ledgerql",
      name: "LedgerQL",
      version: "0.5.0",
      description: "Reports and ad-hoc queries over a LedgerQL service.",
      homepage: "https://ledger.example/plugin",
      state: "disabled",
      reason: "asks_more",
      detail: "This version asks for more than you granted.",
      requested: { ...ledger, hosts: ["api.ledger.example", "rates.ledger.example"], memory_mb: 128 },
      granted: ledger,
      asks: { ...nothing, nothing: false, hosts: ["rates.ledger.example"], memory_mb: 128 },
      tools: [
        tool("ledgerql", "explain", "Explain the plan of a query without running it.", 56),
        tool("ledgerql", "list-reports", "Saved reports with owner and last run.", 43),
        tool("ledgerql", "run-report", "Run a saved report or an ad-hoc query over posted entries.", 728),
      ],
      config: [
        field("token", { title: "API token", secret: true, required: true, set: true }),
        field("region", { title: "Region", set: true, value: "eu" }),
        field("page", { title: "Rows on a page", type: "integer" }),
        field("cache", { title: "Keep answers for a minute", type: "boolean", set: true, value: "true" }),
      ],
      runs: [
        {
          at: at(0.1),
          tool: "kandev_ledgerql_run_report",
          ms: 30_000,
          outcome: "timeout",
          line: "it did not finish within 30s and was stopped",
        },
        { at: at(0.2), tool: "kandev_ledgerql_run_report", ms: 412, outcome: "ok", line: "" },
        { at: at(0.3), tool: "kandev_ledgerql_explain", ms: 38, outcome: "ok", line: "" },
      ],
    }),
    plugin({
      id: "argocd",
      name: "Argo CD",
      version: "0.3.1",
      description: "Applications, their state and their history.",
      requested: { ...base, hosts: ["argocd.internal"], private_network: true },
      granted: { ...base, hosts: ["argocd.internal"], private_network: true },
      tools: Array.from({ length: 16 }, (_, n) =>
        tool(
          "argocd",
          `get-application-${n + 1}`,
          `Reads part ${n + 1} of an application with every child, event and condition.`,
          80 + n,
        ),
      ),
    }),
    plugin({
      id: "currents",
      name: "Currents",
      version: "2.0.0",
      missing: ["key"],
      config: [field("key", { title: "API key", secret: true, required: true })],
    }),
    plugin({
      id: "mermaid",
      name: "Mermaid",
      version: "0.2.0",
      state: "installed",
      granted: undefined,
      asks: { ...nothing, nothing: false, memory_mb: 64, timeout_ms: 30_000 },
    }),
    plugin({
      id: "time",
      name: "time",
      version: "0.0.0",
      author: "",
      license: "",
      bare: true,
      granted: { ...base, hosts: ["*.time.example"] },
      config: [field("zone", { added: true, set: true, value: "Europe/Berlin" })],
    }),
    plugin({
      id: "stays",
      name: "Stays",
      version: "0.1.4",
      author: "Nobody\u202e you know",
      state: "disabled",
      reason: "crash_loop",
      detail: "Switched off after 5 failures within a minute. The last one: it crashed: unreachable",
      runs: [
        { at: at(0.1), tool: "kandev_stays_run", ms: 3, outcome: "trap", line: "it crashed: unreachable" },
      ],
    }),
  ];
}

/** The plugins of the fake: nothing runs, nothing is kept. */
export class FakePlugins {
  private revision = 1;
  private list: t.Plugin[];

  constructor(
    empty: boolean,
    private tell: (revision: number) => void,
  ) {
    this.list = empty ? [] : samples();
  }

  all(): t.Plugins {
    return {
      revision: this.revision,
      plugins: structuredClone(this.list),
      encrypted: false,
      place: "Secret values are in secrets.json in the data folder, not encrypted.",
    };
  }

  inspect(path: string): t.PluginInspection {
    if (!/\.(zip|wasm)$/i.test(path))
      throw new BackendError(
        "failed",
        "It is not a plugin: the file is neither a .zip with a plugin.json nor a WebAssembly module.",
      );
    const bare = path.endsWith(".wasm");
    const old = path.includes("ledger") ? this.list.find(({ id }) => id === "ledgerql") : undefined;
    const asked = { ...base, hosts: bare ? [] : ["hooks.slack.example"], memory_mb: 32, timeout_ms: 10_000 };
    const asks: t.PluginAsks = { ...nothing, nothing: false, hosts: asked.hosts };
    return {
      path,
      bytes: 935_011,
      digest: "d1",
      ran_code: bare,
      problems: path.includes("broken")
        ? [
            "It needs Kandev Desktop 9.0.0; this is 0.1.0.",
            "It has a tool that would be named kandev_slackpost_post, which plugin Slack (slack) has.",
          ]
        : [],
      update: old && {
        version: old.version,
        state: "enabled",
        after: "disabled",
        same: false,
        asks,
        added: ["thread"],
        removed: [],
        changed: ["run-report"],
      },
      plugin: plugin({
        id: old?.id ?? "slackpost",
        name: old?.name ?? (bare ? "slackpost" : "Slack post"),
        version: bare ? "0.0.0" : "1.0.2",
        author: bare ? "" : "Quay Street",
        license: bare ? "" : "MIT",
        description: bare ? "" : "Posts to one channel of one workspace.",
        bare,
        state: "",
        requested: asked,
        granted: undefined,
        asks,
        config: bare ? [] : [field("token", { title: "Bot token", secret: true, required: true })],
        tools: [
          tool("slackpost", "post", "Post a message to the channel", 164),
          tool("slackpost", "thread", "Reply in a thread", 181),
        ],
      }),
    };
  }

  install(path: string): string {
    const { plugin, update } = this.inspect(path);
    const state = update ? "disabled" : "installed";
    this.list = [
      ...this.list.filter(({ id }) => id !== plugin.id),
      {
        ...plugin,
        state,
        reason: update ? "asks_more" : "",
        since: Date.now(),
        installed_at: Date.now(),
        updated_at: Date.now(),
      },
    ];
    this.changed();
    return plugin.id;
  }

  change(id: string, next: (plugin: t.Plugin) => t.Plugin) {
    if (!this.list.some((one) => one.id === id))
      throw new BackendError("not_found", "This plugin is not installed.");
    this.list = this.list.map((one) => (one.id === id ? next(one) : one));
    this.changed();
  }

  enable(id: string, grant: t.PluginPermissions) {
    this.change(id, (one) => ({
      ...one,
      state: "enabled",
      reason: "",
      detail: "",
      granted: grant,
      asks: nothing,
    }));
  }

  disable(id: string) {
    this.change(id, (one) => ({ ...one, state: "disabled", reason: "person" }));
  }

  remove(id: string) {
    this.list = this.list.filter((one) => one.id !== id);
    this.changed();
  }

  configure(id: string, values: t.PluginValue[]) {
    this.change(id, (one) => {
      const config = one.config.map((old) => {
        const given = values.find(({ key }) => key === old.key);
        return given ? { ...old, set: given.value !== "", value: old.secret ? "" : given.value } : old;
      });
      for (const { key, value, secret } of values)
        if (!config.some((old) => old.key === key))
          config.push(field(key, { added: true, set: true, secret, value: secret ? "" : value }));
      return { ...one, config, missing: config.filter((f) => f.required && !f.set).map(({ key }) => key) };
    });
  }

  private changed() {
    this.tell(++this.revision);
  }
}
