import type { Backend } from "../backend/backend";
import { sentence } from "../backend/error";
import type { event } from "../backend/types";
import { within } from "../lib/within";
import { words } from "../words";
import { answerWithin } from "./connect";
import * as reduce from "./reduce";
import { isBare } from "./servers";
import type { CardKind, State, Store } from "./store";

// Content is pulled for what is on screen, by the same methods at boot and later.

/** Waits between tries of one pull, in ms; after the last it waits for the person or for news. */
const retryAfter = [500, 1000, 2000, 4000, 8000];

/**
 * At most one pull of an attachment in this time while only its calls change, so that a call a second
 * does not move 512 KiB each. A new list is pulled at once: the stream paces those.
 */
const attachmentPace = 500;

/** At most one pull of the plugins in this time: every call of a plugin is news. */
const pluginsPace = 500;

interface Want {
  /** What is pulled, such as "transcript/s_1". */
  what: string;
  /** The version that the stream told of; a pull of an older one is repeated. */
  version: string;
  pull: () => Promise<Step>;
  pace?: number;
  /** The part of the version that does not wait for the pace. */
  urgent?: string;
}

/** What one answer does to the state, and whether there is more to pull. */
interface Step {
  put: (state: State) => State;
  more?: boolean;
}

interface Pull {
  version: string;
  urgent?: string;
  running: boolean;
  tries: number;
  /** Not before, while a pace or a wait after a failure lasts. */
  timer?: ReturnType<typeof setTimeout>;
}

export interface Hydration {
  /** Tries a failed pull again, now. */
  retry(what: string): void;
  close(): void;
}

/** The version of an attachment: what of it is only in the pulled view. */
function attachmentVersion(state: State, a: event.Attachment): { version: string; urgent: string } {
  const used = state.explorer ? a.servers.map((server) => server.times.used ?? 0).join() : "";
  const urgent = `${state.epoch} ${a.catalog_rev} ${a.attempt} ${a.live}`;
  // Of a summary with no room for all rows, also what it does not hold.
  const cut = a.servers.some(isBare)
    ? a.servers.map((server) => `${server.status} ${server.times.observed ?? 0}`).join()
    : "";
  return { version: `${urgent} ${used} ${cut}`, urgent };
}

function wants(state: State, backend: Backend, store: Store): Want[] {
  if (state.link !== "live") return [];
  const list = plugins(state, backend);
  const session = state.sessions[state.session];
  if (!session) return list;
  const id = session.id;
  const have = state.transcripts[id];
  if (!have?.complete || have.revision < session.revision) {
    list.push({
      what: `transcript/${id}`,
      version: `${state.epoch} ${session.revision}`,
      pull: async () => {
        const page = await backend.transcript(id, store.getState().transcripts[id]?.revision ?? 0);
        return {
          put: (now) => reduce.applyTranscript(now, page),
          more: page.more && page.items.length > 0,
        };
      },
    });
  }
  const summary = state.attachments[id];
  if (summary) {
    list.push({
      what: `attachment/${id}`,
      ...attachmentVersion(state, summary),
      pace: attachmentPace,
      pull: async () => {
        const loaded = await backend.attachment(id);
        return { put: (now) => reduce.applyAttachment(now, loaded) };
      },
    });
  }
  return [...list, ...asked(state, id, backend)];
}

// The page of plugins shows all of them; the explorer says of a tool whether its plugin is still on.
function plugins(state: State, backend: Backend): Want[] {
  const shown = state.page === "plugins" || state.explorer || state.dialog.endsWith("-plugin");
  if (!shown) return [];
  return [
    {
      what: "plugins",
      version: `${state.epoch} ${state.pluginsRev}`,
      pace: pluginsPace,
      pull: async () => {
        const page = await backend.plugins();
        return { put: (now) => reduce.applyPlugins(now, page) };
      },
    },
  ];
}

// What waits for the person, and what the cards in the window show: a long conversation has hundreds
// that nobody looks at.
function asked(state: State, session: string, backend: Backend): Want[] {
  const list: Want[] = [];
  const refs = new Map<string, { kind: CardKind; revision: number }>();
  for (const [id, kind] of Object.entries(state.cards)) refs.set(id, { kind, revision: 0 });
  for (const q of Object.values(state.questions))
    if (q.session === session) refs.set(q.id, { kind: "question", revision: q.revision });
  for (const p of Object.values(state.permissions))
    if (p.session === session) refs.set(p.id, { kind: "permission", revision: p.revision });
  for (const [id, { kind, revision }] of refs) {
    const loaded = kind === "question" ? state.loadedQuestions[id] : state.loadedPermissions[id];
    if (loaded && loaded.revision >= revision) continue;
    list.push({
      what: `${kind}/${id}`,
      version: `${state.epoch} ${revision}`,
      pull: async () => {
        if (kind === "question") {
          const content = await backend.question(id);
          return { put: (now) => reduce.applyQuestion(now, content) };
        }
        const content = await backend.permission(id);
        return { put: (now) => reduce.applyPermission(now, content) };
      },
    });
  }
  return list;
}

/** Pulls what the session on screen needs, one pull of a kind at a time, until it is closed. */
export function hydrate(backend: Backend, store: Store): Hydration {
  const pulls = new Map<string, Pull>();
  let closed = false;

  const run = async (want: Want, pull: Pull) => {
    pull.running = true;
    clearTimeout(pull.timer);
    pull.timer = undefined;
    pull.version = want.version;
    pull.urgent = want.urgent;
    try {
      let more = true;
      while (more && !closed) {
        // An answer that comes too late is dropped: a newer one may be there.
        const step = await within(want.pull(), answerWithin, words.link.noAnswer);
        store.setState(step.put, true);
        more = step.more ?? false;
      }
      pull.tries = 0;
      store.setState((state) => reduce.setPullError(state, want.what, ""), true);
      if (want.pace) pull.timer = setTimeout(() => wake(pull), want.pace);
    } catch (error) {
      pull.version = "";
      const wait = retryAfter[pull.tries];
      pull.tries++;
      if (wait === undefined || pull.tries > 1)
        store.setState((state) => reduce.setPullError(state, want.what, sentence(error)), true);
      // The last wait never ends by itself: the person tries again.
      pull.timer = setTimeout(() => wake(pull), wait ?? 2 ** 31 - 1);
    } finally {
      pull.running = false;
      look();
    }
  };

  const wake = (pull: Pull) => {
    clearTimeout(pull.timer);
    pull.timer = undefined;
    look();
  };

  const look = () => {
    if (closed) return;
    for (const want of wants(store.getState(), backend, store)) {
      const pull = pulls.get(want.what) ?? { version: "", running: false, tries: 0 };
      pulls.set(want.what, pull);
      const paced = pull.tries === 0 && pull.urgent !== want.urgent ? undefined : pull.timer;
      if (pull.running || paced !== undefined || pull.version === want.version) continue;
      void run(want, pull);
    }
  };

  const unsubscribe = store.subscribe(look);
  look();
  return {
    retry(what) {
      const pull = pulls.get(what);
      if (!pull || pull.running) return;
      pull.tries = 0;
      pull.version = "";
      wake(pull);
    },
    close() {
      closed = true;
      unsubscribe();
      for (const pull of pulls.values()) clearTimeout(pull.timer);
    },
  };
}
