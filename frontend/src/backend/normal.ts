import type * as t from "./types";

// A nil slice of Go arrives as null. Here every list of an answer becomes a list, once.

export function list<T>(value: T[] | null | undefined): T[] {
  return value ?? [];
}

export function snapshot(s: t.Snapshot): t.Snapshot {
  return {
    ...s,
    projects: list(s.projects),
    tasks: list(s.tasks),
    sessions: list(s.sessions),
    attachments: list(s.attachments).map(summary),
    questions: list(s.questions),
    permissions: list(s.permissions),
    notices: list(s.notices),
    settings: { ...s.settings, preamble_off: list(s.settings.preamble_off) },
  };
}

function summary(a: t.event.Attachment): t.event.Attachment {
  return { ...a, servers: list(a.servers) };
}

export function event(e: t.event.Event): t.event.Event {
  const view = e.view;
  if (view.attachment) return { ...e, view: { attachment: summary(view.attachment) } };
  if (view.quit) return { ...e, view: { quit: { agents: list(view.quit.agents) } } };
  return e;
}

export function transcript(page: t.Transcript): t.Transcript {
  return { ...page, items: list(page.items) };
}

export function attachment(a: t.Attachment): t.Attachment {
  return {
    ...a,
    agent: { ...a.agent, client: { ...a.agent?.client, rewrite_keys: list(a.agent?.client?.rewrite_keys) } },
    attempts: list(a.attempts).map((attempt) => ({ ...attempt, servers: list(attempt.servers) })),
    catalog: a.catalog ? { ...a.catalog, entries: list(a.catalog.entries) } : undefined,
    uses: list(a.uses),
    evidence: list(a.evidence),
  };
}

export function question(q: t.Question): t.Question {
  return {
    ...q,
    questions: list(q.questions).map((part) => ({ ...part, options: list(part.options) })),
    answers: list(q.answers).map((answer) => ({ ...answer, chosen: list(answer.chosen) })),
  };
}

export function permission(p: t.Permission): t.Permission {
  return { ...p, options: list(p.options) };
}

export function storage(s: t.Storage): t.Storage {
  return { ...s, projects: list(s.projects), broken: list(s.broken) };
}

export function loginOffer(offer: t.LoginOffer): t.LoginOffer {
  return {
    ...offer,
    env: list(offer.env),
    methods: list(offer.methods).map((method) => ({ ...method, vars: list(method.vars) })),
  };
}

export function agentLogin(login: t.AgentLogin): t.AgentLogin {
  return { ...login, offer: loginOffer(login.offer) };
}

export function ownServers(page: t.OwnServers): t.OwnServers {
  return {
    ...page,
    servers: list(page.servers).map((server) => ({
      ...server,
      args: list(server.args),
      env: list(server.env),
      headers: list(server.headers),
      unstored: list(server.unstored),
    })),
  };
}

export function askedServer(server: t.AskedServer): t.AskedServer {
  return { ...server, headers: list(server.headers), env: list(server.env) };
}

export function serverImport(found: t.ServerImport): t.ServerImport {
  return {
    servers: list(found.servers).map((server) => ({ ...server, notes: list(server.notes) })),
    others: list(found.others),
  };
}

export function agents(found: t.Agent[] | null): t.Agent[] {
  return list(found).map(({ custom, ...agent }) =>
    custom ? { ...agent, custom: { ...custom, words: list(custom.words), env: list(custom.env) } } : agent,
  );
}

export function commandCheck(check: t.CommandCheck): t.CommandCheck {
  return { ...check, words: list(check.words) };
}

function plugin(p: t.Plugin): t.Plugin {
  return {
    ...p,
    tools: list(p.tools),
    requested: permissions(p.requested),
    granted: p.granted ? permissions(p.granted) : undefined,
    asks: { ...p.asks, hosts: list(p.asks.hosts) },
    config: list(p.config),
    missing: list(p.missing),
    runs: list(p.runs),
    warnings: list(p.warnings),
  };
}

function permissions(p: t.PluginPermissions): t.PluginPermissions {
  return { ...p, hosts: list(p.hosts) };
}

export function plugins(page: t.Plugins): t.Plugins {
  return { ...page, plugins: list(page.plugins).map(plugin) };
}

export function inspection(i: t.PluginInspection): t.PluginInspection {
  const update = i.update && {
    ...i.update,
    asks: { ...i.update.asks, hosts: list(i.update.asks.hosts) },
    added: list(i.update.added),
    removed: list(i.update.removed),
    changed: list(i.update.changed),
    granted: i.update.granted && { ...i.update.granted, hosts: list(i.update.granted.hosts) },
  };
  return { ...i, plugin: plugin(i.plugin), problems: list(i.problems), update };
}
