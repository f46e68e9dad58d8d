import { createStore } from "zustand/vanilla";
import type * as t from "../backend/types";

/** What is known of one session's transcript. Items are in the order of their numbers. */
export interface LoadedTranscript {
  revision: number;
  items: t.Item[];
  /** All pages that existed were read at least once. */
  complete: boolean;
}

/** The stream: before the first snapshot, in step, or trying again. */
export type Link = "loading" | "live" | "reconnecting";

/** What lies over the window; at most one at a time. */
export type DialogName =
  | ""
  | "new-session"
  | "add-project"
  | "rename"
  | "delete"
  | "settings"
  | "keys"
  | "palette"
  | "install-plugin"
  | "enable-plugin"
  | "remove-plugin"
  | "remove-project";

/** What a card in the conversation asks. */
export type CardKind = "question" | "permission";

/** What was chosen and written for one question so far. */
export interface AnswerDraft {
  chosen: string[];
  text: string;
}

/** What was typed for a new session that was not started yet. */
export interface SessionDraft {
  title: string;
  prompt: string;
}

/** What the main part shows: the session, or a view that belongs to none. */
export type Page = "session" | "plugins";

export interface State {
  link: Link;
  /** Why the last snapshot failed; "" while in step. */
  linkError: string;
  epoch: string;
  seq: number;
  version: string;
  platform: string;
  projects: Record<string, t.event.Project>;
  tasks: Record<string, t.event.Task>;
  sessions: Record<string, t.event.Session>;
  /** Summaries from the stream: status, counts, times. No definitions. */
  attachments: Record<string, t.event.Attachment>;
  questions: Record<string, t.event.Question>;
  permissions: Record<string, t.event.Permission>;
  notices: t.event.Notice[];
  settings: t.Settings;
  /** The question before quitting, while it is asked. */
  quit: t.event.QuitRequest | null;

  transcripts: Record<string, LoadedTranscript>;
  /** Attachments with their definitions, of sessions that are or were on screen. */
  loadedAttachments: Record<string, t.Attachment>;
  loadedQuestions: Record<string, t.Question>;
  loadedPermissions: Record<string, t.Permission>;
  /** Questions and permissions whose cards are in the window now, by id: their content is pulled. */
  cards: Record<string, CardKind>;
  /** Why the last pull failed, by what was pulled: "transcript/s_1", "attachment/s_1". */
  pullErrors: Record<string, string>;

  /** The project and session on screen; "" = none. */
  project: string;
  session: string;
  /** The explorer is open on the session on screen. */
  explorer: boolean;
  dialog: DialogName;
  /** What a dialog is about: a session, a project, an agent, a page of the settings, a plugin or the path of one. */
  subject: string;
  /** The rail lies over a narrow window. */
  drawer: boolean;
  /** Agents of this machine; null while they are looked up. */
  agents: t.Agent[] | null;
  /** Grows with every change of a plugin; what is pulled is `plugins`. */
  pluginsRev: number;
  /** Installed plugins, pulled while something shows them; null before the first time. */
  plugins: t.Plugins | null;
  page: Page;
  /** The plugin on its page; "" = the first. */
  plugin: string;
  /** Unsent prompts by session. */
  drafts: Record<string, string>;
  /** Unsent answers by bundle of questions, then by question. */
  answers: Record<string, Record<string, AnswerDraft>>;
  newSession: SessionDraft;
}

export const emptyState: State = {
  link: "loading",
  linkError: "",
  epoch: "",
  seq: 0,
  version: "",
  platform: "",
  projects: {},
  tasks: {},
  sessions: {},
  attachments: {},
  questions: {},
  permissions: {},
  notices: [],
  settings: { theme: "", log_level: "", letters_off: false, context_window: 0, preamble_off: [] },
  quit: null,
  transcripts: {},
  loadedAttachments: {},
  loadedQuestions: {},
  loadedPermissions: {},
  cards: {},
  pullErrors: {},
  project: "",
  session: "",
  explorer: false,
  dialog: "",
  subject: "",
  drawer: false,
  agents: null,
  pluginsRev: 0,
  plugins: null,
  page: "session",
  plugin: "",
  drafts: {},
  answers: {},
  newSession: { title: "", prompt: "" },
};

export type Store = ReturnType<typeof newStore>;

/** Makes a store of its own; the app has one, every test makes another. */
export function newStore(initial: Partial<State> = {}) {
  return createStore<State>(() => ({ ...emptyState, ...initial }));
}
