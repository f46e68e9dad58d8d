import type * as t from "../backend/types";

// Small views for tests: whole, valid, with what a test names changed.

export function session(id: string, change: Partial<t.event.Session> = {}): t.event.Session {
  return {
    id,
    project: "p_1",
    task: `t_${id}`,
    agent: "toolbench",
    agent_name: "Toolbench 0.1.0",
    embedded: true,
    executor: "local",
    state: "ready",
    waiting: 0,
    archived: false,
    seq: 1,
    revision: 0,
    since: 0,
    created_at: 0,
    ...change,
  };
}

export function project(id: string, change: Partial<t.event.Project> = {}): t.event.Project {
  return {
    id,
    name: id,
    path: `/tmp/${id}`,
    agent: "",
    missing: false,
    sample: false,
    used_at: 0,
    ...change,
  };
}

export function snapshot(seq: number, change: Partial<t.Snapshot> = {}): t.Snapshot {
  return {
    epoch: "e1",
    seq,
    plugins_rev: 1,
    version: "0.1.0",
    platform: "linux",
    first_run: "",
    projects: [project("p_1")],
    tasks: [],
    sessions: [],
    attachments: [],
    questions: [],
    permissions: [],
    notices: [],
    settings: { theme: "", log_level: "info", letters_off: false, context_window: 200_000, preamble_off: [] },
    ...change,
  };
}

export function event(seq: number, view: t.event.View, change: Partial<t.event.Event> = {}): t.event.Event {
  return { epoch: "e1", prev: seq - 1, seq, view, ...change };
}

export function item(number: number, revision: number, text = ""): t.Item {
  return { number, revision, kind: "message", text, at: 0, updated_at: 0 };
}
