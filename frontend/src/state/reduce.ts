import type * as t from "../backend/types";
import { takesAnswer } from "./select";
import type { LoadedTranscript, State } from "./store";

// The pure half of the stream: what one answer or one event does to the state. No clock, no I/O.

type Keyed<T> = Record<string, T>;

function byId<T extends { id: string }>(rows: T[]): Keyed<T> {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

function without<T>(rows: Keyed<T>, key: string): Keyed<T> {
  if (!(key in rows)) return rows;
  const { [key]: _, ...rest } = rows;
  return rest;
}

function keep<T>(rows: Keyed<T>, wanted: (key: string) => boolean): Keyed<T> {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => wanted(key)));
}

/**
 * Puts a snapshot in place of everything that the stream had built. Content that was pulled stays
 * while the epoch is the same; another epoch is another life of the app, and all is pulled again.
 */
export function applySnapshot(state: State, s: t.Snapshot): State {
  const sessions = byId(s.sessions);
  const same = state.epoch === s.epoch;
  const alive = (session: string) => same && session in sessions;
  const next: State = {
    ...state,
    link: "live",
    linkError: "",
    epoch: s.epoch,
    seq: s.seq,
    version: s.version,
    platform: s.platform,
    projects: byId(s.projects),
    tasks: byId(s.tasks),
    sessions,
    attachments: Object.fromEntries(s.attachments.map((a) => [a.session, a])),
    questions: byId(s.questions),
    permissions: byId(s.permissions),
    notices: [...s.notices, ...state.notices.filter(isOwn)],
    settings: s.settings,
    quit: s.quit ?? null,
    pluginsRev: s.plugins_rev,
    transcripts: keep(state.transcripts, alive),
    // Shown until the new one is there, so that nothing flickers; pulled again all the same.
    loadedAttachments: keep(state.loadedAttachments, (session) => session in sessions),
    loadedQuestions: same ? stillTrue(state.loadedQuestions, s.questions) : {},
    loadedPermissions: same ? stillTrue(state.loadedPermissions, s.permissions) : {},
    pullErrors: {},
    // What is not open any more takes no answer.
    answers: keep(state.answers, (id) => s.questions.some((q) => q.id === id)),
    drafts: keep(state.drafts, (session) => session in sessions),
  };
  return place(next, state.epoch === "" ? s.first_run : "");
}

// A snapshot lists what is open. Content that says open and is not listed has ended meanwhile: it is
// dropped, and pulled again where the conversation shows it.
function stillTrue<T extends { id: string; state: string }>(
  loaded: Keyed<T>,
  open: { id: string }[],
): Keyed<T> {
  const listed = new Set(open.map((row) => row.id));
  return keep(loaded, (id) => listed.has(id) || !takesAnswer(loaded[id]?.state));
}

/** Notices that the window made itself; the app knows nothing of them. */
export const ownNotice = "window/";

function isOwn(notice: t.event.Notice): boolean {
  return notice.id.startsWith(ownNotice);
}

/** Applies one event that is the next one of the stream. */
export function applyEvent(state: State, e: t.event.Event): State {
  return applyView({ ...state, seq: e.seq }, e.view);
}

function applyView(state: State, view: t.event.View): State {
  if (view.project) return { ...state, projects: { ...state.projects, [view.project.id]: view.project } };
  if (view.project_gone) return place({ ...state, projects: without(state.projects, view.project_gone) });
  if (view.task) return { ...state, tasks: { ...state.tasks, [view.task.id]: view.task } };
  if (view.session) return { ...state, sessions: { ...state.sessions, [view.session.id]: view.session } };
  if (view.task_gone) return { ...state, tasks: without(state.tasks, view.task_gone) };
  if (view.session_gone) return place(dropSession(state, view.session_gone));
  if (view.attachment)
    return { ...state, attachments: { ...state.attachments, [view.attachment.session]: view.attachment } };
  if (view.transcript) return applyRevision(state, view.transcript);
  if (view.question) {
    return {
      ...state,
      questions: { ...state.questions, [view.question.id]: view.question },
      answers: takesAnswer(view.question.state) ? state.answers : without(state.answers, view.question.id),
    };
  }
  if (view.permission)
    return { ...state, permissions: { ...state.permissions, [view.permission.id]: view.permission } };
  if (view.notice) return { ...state, notices: putNotice(state.notices, view.notice) };
  if (view.notice_gone)
    return { ...state, notices: state.notices.filter((notice) => notice.id !== view.notice_gone) };
  if (view.plugins) return { ...state, pluginsRev: view.plugins.revision };
  if (view.quit) return { ...state, quit: view.quit.agents.length > 0 ? view.quit : null };
  return state;
}

function applyRevision(state: State, view: t.event.Transcript): State {
  const session = state.sessions[view.session];
  if (!session || session.revision >= view.revision) return state;
  return {
    ...state,
    sessions: { ...state.sessions, [session.id]: { ...session, revision: view.revision } },
  };
}

function putNotice(notices: t.event.Notice[], notice: t.event.Notice): t.event.Notice[] {
  const at = notices.findIndex((kept) => kept.id === notice.id);
  return at < 0 ? [...notices, notice] : notices.with(at, notice);
}

function dropSession(state: State, id: string): State {
  const other = <T extends { session: string }>(rows: Keyed<T>) =>
    keep(rows, (key) => rows[key]?.session !== id);
  return {
    ...state,
    sessions: without(state.sessions, id),
    drafts: without(state.drafts, id),
    answers: keep(state.answers, (question) => state.questions[question]?.session !== id),
    attachments: without(state.attachments, id),
    transcripts: without(state.transcripts, id),
    loadedAttachments: without(state.loadedAttachments, id),
    questions: other(state.questions),
    permissions: other(state.permissions),
    loadedQuestions: other(state.loadedQuestions),
    loadedPermissions: other(state.loadedPermissions),
  };
}

/**
 * Keeps what is on screen valid: a session or project that is gone is left for the one used last.
 * `wanted` is a session to open now.
 */
function place(state: State, wanted = ""): State {
  if (wanted && state.sessions[wanted]) return open(state, wanted);
  if (state.session && state.sessions[state.session] && state.projects[state.project]) return state;
  const used = Object.values(state.projects).sort((a, b) => b.used_at - a.used_at);
  const project = state.projects[state.project] ? state.project : (used[0]?.id ?? "");
  const session = newest(state, project);
  return { ...state, project, session, explorer: state.explorer && session === state.session };
}

/** Opens a session and with it its project. */
export function open(state: State, id: string): State {
  const session = state.sessions[id];
  if (!session) return state;
  const explorer = state.explorer && state.session === id;
  return { ...state, session: id, project: session.project, explorer, page: "session" };
}

/** Opens a project on its newest session. */
export function openProject(state: State, id: string): State {
  if (!state.projects[id]) return state;
  return { ...state, project: id, session: newest(state, id), explorer: false, page: "session" };
}

function newest(state: State, project: string): string {
  const own = Object.values(state.sessions).filter((s) => s.project === project && !s.archived);
  return own.sort((a, b) => b.seq - a.seq)[0]?.id ?? "";
}

/** Adds a page of items to a transcript: an item of a known number takes its place. */
export function applyTranscript(state: State, page: t.Transcript): State {
  if (!state.sessions[page.session]) return state;
  const before: LoadedTranscript = state.transcripts[page.session] ?? {
    revision: 0,
    items: [],
    complete: false,
  };
  const after = {
    revision: Math.max(before.revision, page.revision),
    items: merge(before.items, page.items),
    complete: before.complete || !page.more,
  };
  return { ...state, transcripts: { ...state.transcripts, [page.session]: after } };
}

function merge(items: t.Item[], news: t.Item[]): t.Item[] {
  if (news.length === 0) return items;
  const sorted = [...news].sort((a, b) => a.number - b.number);
  const merged = [...items];
  for (const item of sorted) {
    const at = seek(merged, item.number);
    const known = merged[at];
    if (known?.number !== item.number) merged.splice(at, 0, item);
    else if (item.revision >= known.revision) merged[at] = item;
  }
  return merged;
}

// The place of a number in a sorted list; almost always the end, so looked for from there.
function seek(items: t.Item[], number: number): number {
  let low = 0;
  let high = items.length;
  if (high > 0 && (items[high - 1]?.number ?? 0) < number) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Takes a pulled attachment. Pulls of one session follow each other, so it is the newest. */
export function applyAttachment(state: State, a: t.Attachment): State {
  if (!state.sessions[a.session]) return state;
  return { ...state, loadedAttachments: { ...state.loadedAttachments, [a.session]: a } };
}

/** Takes the pulled plugins. Pulls follow each other, so they are the newest. */
export function applyPlugins(state: State, plugins: t.Plugins): State {
  return { ...state, plugins };
}

export function applyQuestion(state: State, q: t.Question): State {
  const known = state.loadedQuestions[q.id];
  if (known && known.revision > q.revision) return state;
  return { ...state, loadedQuestions: { ...state.loadedQuestions, [q.id]: q } };
}

export function applyPermission(state: State, p: t.Permission): State {
  const known = state.loadedPermissions[p.id];
  if (known && known.revision > p.revision) return state;
  return { ...state, loadedPermissions: { ...state.loadedPermissions, [p.id]: p } };
}

/** Sets or, with "", clears why a pull failed. */
export function setPullError(state: State, what: string, error: string): State {
  if ((state.pullErrors[what] ?? "") === error) return state;
  const rest = without(state.pullErrors, what);
  return { ...state, pullErrors: error ? { ...rest, [what]: error } : rest };
}
