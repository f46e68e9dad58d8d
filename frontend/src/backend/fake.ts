import type { Backend, EventSource } from "./backend";
import { BackendError } from "./error";
import { FakeServers } from "./fake-agents";
import { FakeCustom } from "./fake-custom";
import * as data from "./fake-data";
import { FakeLogins } from "./fake-login";
import { FakePlugins } from "./fake-plugins";
import { answerText, itemsOf, permissions, questions } from "./fake-talk";
import type * as t from "./types";

export interface FakeOptions {
  /** Shows the sample session, as on the very first start. */
  firstRun?: boolean;
  /** No project and no session. */
  empty?: boolean;
  /** The working session holds 10,000 items. */
  long?: boolean;
  /** Every snapshot fails. */
  down?: boolean;
  /** Answers never come. */
  slow?: boolean;
  /** A quit question, notices, other rarities. */
  quit?: boolean;
  notices?: boolean;
  /** A start waits for values of the person's servers. */
  values?: boolean;
  theme?: string;
}

/** An in-memory backend for tests and for `?fake` under vite: nothing runs, nothing is kept. */
export function createFake(options: FakeOptions = {}): { backend: Backend; events: EventSource } {
  const world = new World(options);
  return { backend: world.backend(), events: { subscribe: (listener) => world.listen(listener) } };
}

class World {
  private seq = 0;
  private made = 0;
  private listeners = new Set<(event: t.event.Event) => void>();
  private sessions = new Map<string, t.event.Session>();
  private tasks = new Map(data.tasks.map((task) => [task.id, task]));
  private projects = new Map(data.projects.map((project) => [project.id, project]));
  private items = new Map<string, t.Item[]>();
  private settings: t.Settings;
  private servers = new FakeServers();
  private logins = new FakeLogins();
  private custom = new FakeCustom();
  private plugins: FakePlugins;

  constructor(private options: FakeOptions) {
    this.settings = {
      theme: options.theme ?? "",
      log_level: "info",
      letters_off: false,
      context_window: 200_000,
      preamble_off: [],
    };
    this.plugins = new FakePlugins(options.empty ?? false, (revision) =>
      this.emit({ plugins: { revision } }),
    );
    for (const session of options.empty ? [] : data.sessions) {
      this.items.set(session.id, itemsOf(session.id, options.long ?? false));
      const asks = options.values && session.state === "starting";
      this.sessions.set(session.id, { ...session, asks, revision: this.items.get(session.id)?.length ?? 0 });
    }
    if (options.empty) {
      this.projects.clear();
      this.tasks.clear();
    }
  }

  listen(listener: (event: t.event.Event) => void) {
    this.listeners.add(listener);
    if (this.options.quit)
      setTimeout(() => this.emit({ quit: { agents: ["Codex 0.166.0", "Gemini 0.61.0", "Toolbench"] } }), 200);
    return () => this.listeners.delete(listener);
  }

  private emit(view: t.event.View) {
    const event = { epoch: "fake", prev: this.seq, seq: ++this.seq, view };
    for (const listener of this.listeners) listener(event);
  }

  private change(id: string, change: Partial<t.event.Session>) {
    const session = this.sessions.get(id);
    if (!session) throw new BackendError("not_found", "This session does not exist any more.");
    const next = { ...session, ...change };
    this.sessions.set(id, next);
    this.emit({ session: next });
  }

  private add(id: string, item: Partial<t.Item> & { kind: string }) {
    const items = this.items.get(id) ?? [];
    const revision = (this.sessions.get(id)?.revision ?? 0) + 1;
    const at = Date.now();
    items.push({ number: items.length + 1, revision, at, updated_at: at, ...item });
    this.items.set(id, items);
    const session = this.sessions.get(id);
    if (session) this.sessions.set(id, { ...session, revision });
    this.emit({ transcript: { session: id, revision } });
    return items.length - 1;
  }

  // Streams a text into one message, a few words at a time, then ends the turn.
  private stream(id: string, text: string) {
    const words = text.split(/(?<=\s)/);
    const at = this.add(id, { kind: "message", text: "" });
    const step = () => {
      const items = this.items.get(id);
      const item = items?.[at];
      const session = this.sessions.get(id);
      if (!items || !item || !session || session.state !== "working") return;
      const revision = session.revision + 1;
      items[at] = { ...item, revision, text: (item.text ?? "") + words.splice(0, 3).join("") };
      this.sessions.set(id, { ...session, revision });
      this.emit({ transcript: { session: id, revision } });
      if (words.length > 0) setTimeout(step, 33);
      else this.change(id, { state: "ready", since: Date.now() });
    };
    setTimeout(step, 200);
  }

  private snapshot(): t.Snapshot {
    const open = [...this.sessions.values()];
    return {
      epoch: "fake",
      seq: this.seq,
      plugins_rev: 1,
      version: "0.1.0",
      platform: "linux",
      first_run: this.options.firstRun ? "s_look" : "",
      projects: [...this.projects.values()].map((p) =>
        this.options.firstRun && p.sample ? { ...p, used_at: Date.now() } : p,
      ),
      tasks: [...this.tasks.values()],
      sessions: open,
      attachments: open.map(data.summaryOf),
      questions: this.options.empty
        ? []
        : [{ id: "q_1", session: "s_gemini", title: "Export statements as CSV", state: "open", revision: 1 }],
      permissions: this.options.empty
        ? []
        : [{ id: "a_1", session: "s_gemini", title: "Export statements as CSV", state: "open", revision: 1 }],
      notices: this.options.notices
        ? [
            {
              id: "n_1",
              kind: "error",
              text: "The database could not be read and was set aside as kandev-2026-09-14.db. What was in it is kept in that file.",
              action: "delete_broken",
            },
            {
              id: "n_2",
              kind: "warning",
              text: "Nothing is saved: the data folder is read-only.",
              action: "open_data_folder",
            },
          ]
        : [],
      settings: this.settings,
    };
  }

  private async later<T>(value: () => T): Promise<T> {
    if (this.options.slow) return new Promise(() => {});
    await new Promise((done) => setTimeout(done, 10));
    return value();
  }

  private start(request: t.NewSession): string {
    const id = `s_new${++this.made}`;
    const agent = this.custom.list().find((a) => a.id === request.agent);
    if (!agent?.installed)
      throw new BackendError(
        "failed",
        `${agent?.name ?? request.agent} is not installed. Copy its command, run it in a terminal, and try again.`,
      );
    const task = {
      id: `t_new${this.made}`,
      project: request.project,
      title: request.title || "New session",
      step: "plan",
      seq: 100 + this.made,
      archived: false,
    };
    this.tasks.set(task.id, task);
    this.emit({ task });
    const session: t.event.Session = {
      id,
      project: request.project,
      task: task.id,
      agent: agent.id,
      agent_name: `${agent.name} ${agent.version ?? ""}`.trim(),
      embedded: agent.embedded,
      executor: "local",
      state: "starting",
      waiting: 0,
      archived: false,
      seq: 100 + this.made,
      revision: 0,
      since: Date.now(),
      created_at: Date.now(),
    };
    this.sessions.set(id, session);
    this.items.set(id, []);
    this.emit({ session });
    this.emit({ attachment: data.summaryOf(session) });
    setTimeout(() => {
      this.change(id, { state: "ready", since: Date.now() });
      if (request.prompt) this.prompt(id, request.prompt);
    }, 400);
    return id;
  }

  private prompt(id: string, text: string) {
    this.add(id, { kind: "prompt", text });
    this.change(id, { state: "working", since: Date.now() });
    this.stream(id, answerText);
  }

  private ended(id: string, change: Partial<t.Question & t.Permission>) {
    const stored = questions.find((q) => q.id === id) ?? permissions.find((p) => p.id === id);
    if (stored?.state !== "open") throw new BackendError("failed", "This was answered already.");
    Object.assign(stored, { ...change, revision: stored.revision + 1, ended_at: Date.now() });
    const view = { id, session: stored.session, title: "", state: stored.state, revision: stored.revision };
    this.emit("questions" in stored ? { question: view } : { permission: view });
    const session = this.sessions.get(stored.session);
    if (session) this.change(session.id, { waiting: Math.max(0, session.waiting - 1) });
  }

  private addProject(path: string): t.event.Project {
    if (!path.startsWith("/"))
      throw new BackendError("not_found", `There is no folder ${path}. Type its whole path.`);
    const project = {
      id: `p_${path}`,
      name: path.split("/").pop() || path,
      path,
      agent: "",
      missing: false,
      sample: false,
      used_at: Date.now(),
    };
    this.projects.set(project.id, project);
    this.emit({ project });
    return project;
  }

  private page(session: string, after: number): t.Transcript {
    const news = (this.items.get(session) ?? [])
      .filter((item) => item.revision > after)
      .sort((a, b) => a.revision - b.revision);
    const page = news.slice(0, 500);
    return {
      session,
      revision: page.at(-1)?.revision ?? after,
      more: news.length > page.length,
      items: structuredClone(page),
    };
  }

  backend(): Backend {
    const found = <T>(value: T | undefined): T => {
      if (value === undefined) throw new BackendError("not_found", "It does not exist any more.");
      return structuredClone(value);
    };
    return {
      snapshot: () =>
        this.options.down
          ? Promise.reject(new BackendError("failed", "The app does not answer."))
          : this.later(() => this.snapshot()),
      transcript: (session, after) => this.later(() => this.page(session, after)),
      attachment: (session) => this.later(() => data.attachmentOf(found(this.sessions.get(session)))),
      question: (id) => this.later(() => found(questions.find((q) => q.id === id))),
      permission: (id) => this.later(() => found(permissions.find((p) => p.id === id))),
      agents: () => this.later(() => this.custom.list()),
      chooseFolder: () => Promise.resolve(""),
      addProject: (path) => this.later(() => this.addProject(path)),
      moveProject: (id, path) =>
        this.later(() => {
          const project = { ...found(this.projects.get(id)), path, missing: false };
          this.projects.set(id, project);
          this.emit({ project });
          return project;
        }),
      removeProject: async (id) => void (this.projects.delete(id) && this.emit({ project_gone: id })),
      checkProjects: async () => {},
      newSession: (request) => this.later(() => this.start(request)),
      prompt: (session, text) => this.later(() => this.prompt(session, text)),
      cancelTurn: async (id) => this.change(id, { state: "ready", since: Date.now() }),
      stopSession: async (id) =>
        this.change(id, { state: "stopped", since: Date.now(), reason: "You stopped it." }),
      startSession: async (id) => this.change(id, { state: "ready", since: Date.now() }),
      resetSession: async (id) => this.change(id, { state: "ready", since: Date.now() }),
      ...this.logins.methods(),
      authenticate: async (id) => this.change(id, { state: "ready", login: false, since: Date.now() }),
      place: async () => ({
        folder: "",
        exists: false,
        own: false,
        branch: "",
        dirty: false,
        commits: 0,
        merge: "",
      }),
      openPlace: async () => {},
      removePlace: async () => {},
      renameSession: async (id, title) => {
        const session = found(this.sessions.get(id));
        const task = { ...found(this.tasks.get(session.task)), title };
        this.tasks.set(task.id, task);
        this.emit({ task });
      },
      archiveSession: async (id, archived) => this.change(id, { archived }),
      deleteSession: async (id) => {
        this.sessions.delete(id);
        this.emit({ session_gone: id });
      },
      answer: async (id, answers) => this.ended(id, { state: "answered", answers }),
      rejectQuestion: async (id, reason) => this.ended(id, { state: "rejected", reason }),
      permit: async (id, option) => this.ended(id, { state: "selected", chosen: option }),
      diagnostics: (session) => this.later(() => `session ${session}\nkandev active 140 tools\n`),
      saveFile: (name) => Promise.resolve(`/tmp/${name}`),
      openURL: async () => {},
      openFolder: async () => {},
      storage: () =>
        this.later(() => ({
          folder: "/home/ada/.local/share/kandev-desktop",
          bytes: 18_420_000,
          worktrees: 2_300_000,
          memory: false,
          projects: [...this.projects.keys()].map((id, n) => ({
            id,
            bytes: 4_000_000 >> (3 * n),
            sessions: [...this.sessions.values()].filter((session) => session.project === id).length,
          })),
          broken: this.options.notices ? ["kandev.db.broken-20260914-101112"] : [],
          aside: this.options.notices ? 6_200_000 : 0,
        })),
      deleteBroken: async () => this.emit({ notice_gone: "n_1" }),
      dismissNotice: async (id) => this.emit({ notice_gone: id }),
      uncleanReport: () => this.later(() => "Kandev Desktop did not end in order.\n\nversion  0.1.0\n"),
      dismissUnclean: async () => this.emit({ notice_gone: "unclean_end" }),
      checkCommand: (line) => this.later(() => this.custom.check(line)),
      saveCustomAgent: (change) => this.later(() => this.custom.save(change)),
      deleteCustomAgent: async (id) => this.custom.remove(id),
      valuesPlace: () => this.later(() => ({ encrypted: true, place: this.servers.list("").place })),
      ownServers: (agent) => this.later(() => this.servers.list(agent)),
      saveOwnServer: (change) => this.later(() => this.servers.save(change)),
      deleteOwnServer: async (id) => this.servers.remove(id),
      importServers: (agent, text) => this.later(() => this.servers.read(agent, text)),
      plugins: () => this.later(() => this.plugins.all()),
      choosePlugin: async () => "/home/ada/Downloads/slackpost-1.0.2.zip",
      inspectPlugin: (path) => this.later(() => this.plugins.inspect(path)),
      installPlugin: (path) => this.later(() => this.plugins.install(path)),
      enablePlugin: async (id, grant) => this.plugins.enable(id, grant),
      disablePlugin: async (id) => this.plugins.disable(id),
      removePlugin: async (id) => this.plugins.remove(id),
      configurePlugin: async (id, values) => this.plugins.configure(id, values),
      askValues: async (on) => this.servers.askAlways(on),
      valuesAsked: () => this.later(() => data.askedServers),
      giveValues: async (id) => this.change(id, { asks: false, state: "ready", since: Date.now() }),
      saveSettings: async (settings) => {
        this.settings = settings;
      },
      quit: async () => {},
      keepRunning: async () => {},
    };
  }
}
