import type { Backend, EventSource } from "../backend/backend";
import { sentence } from "../backend/error";
import type { event } from "../backend/types";
import { within } from "../lib/within";
import { words } from "../words";
import { applyEvent, applySnapshot } from "./reduce";
import type { State, Store } from "./store";

// Boot, gaps, a reload and another life of the app are one path: queue, snapshot, apply what is
// newer. Source of the rules: spec/attachment.md, "Telling the window".

/** How long an event from the future is held before it counts as a gap. The dev server reorders. */
export const holdFor = 100;

/** Waits between tries for a snapshot, in ms; the last one repeats. */
const retryAfter = [500, 1000, 2000, 4000, 8000, 10_000];

/** How long one answer of the app may take, in ms; then it is asked again. */
export const answerWithin = 20_000;

/** A held queue that grows over this is no reordering: it is dropped for a new snapshot. */
const maxHeld = 5000;

export interface Connection {
  close(): void;
}

// Applies, in order, every event that is the next one; drops those that the state already holds.
function applyNext(before: State, held: event.Event[]): { state: State; rest: event.Event[] } {
  let state = before;
  const rest: event.Event[] = [];
  for (const e of held.toSorted((a, b) => a.seq - b.seq)) {
    if (e.epoch === state.epoch && e.seq <= state.seq) continue;
    if (e.epoch === state.epoch && e.prev <= state.seq) state = applyEvent(state, e);
    else rest.push(e);
  }
  return { state, rest };
}

/** Keeps the store in step with the app until it is closed. */
export function connect(backend: Backend, events: EventSource, store: Store): Connection {
  let closed = false;
  let asking = false;
  let tries = 0;
  let held: event.Event[] = [];
  let holding: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const release = () => {
    clearTimeout(holding);
    holding = undefined;
  };

  const drain = () => {
    const before = store.getState();
    const { state, rest } = applyNext(before, held);
    held = rest;
    if (state !== before) store.setState(state, true);
    if (held.length === 0) release();
  };

  const ask = async () => {
    if (asking || closed) return;
    asking = true;
    release();
    try {
      const snapshot = await within(backend.snapshot(), answerWithin, words.link.noAnswer);
      if (closed) return;
      tries = 0;
      store.setState((state) => applySnapshot(state, snapshot), true);
      asking = false;
      const late = held.filter((e) => e.epoch !== snapshot.epoch);
      held = held.filter((e) => e.epoch === snapshot.epoch);
      drain();
      // What came from another life while the snapshot was read: the snapshot may be the old one.
      if (held.length > 0 || late.length > 0) hold();
    } catch (error) {
      asking = false;
      if (!closed) again(sentence(error));
    }
  };

  const again = (reason: string) => {
    const wait = retryAfter[Math.min(tries, retryAfter.length - 1)];
    tries++;
    store.setState({ link: "reconnecting", linkError: reason });
    clearTimeout(retrying);
    retrying = setTimeout(ask, wait);
  };

  const hold = () => {
    holding ??= setTimeout(() => {
      holding = undefined;
      void ask();
    }, holdFor);
  };

  const receive = (e: event.Event) => {
    if (closed) return;
    if (held.length >= maxHeld) held = [];
    held.push(e);
    const state = store.getState();
    if (asking || state.epoch === "") return;
    // A try is already planned: it will see this event in its snapshot.
    if (state.link === "reconnecting") return;
    if (e.epoch !== state.epoch) return void ask();
    drain();
    if (held.length > 0) hold();
  };

  const unsubscribe = events.subscribe(receive);
  void ask();
  return {
    close() {
      closed = true;
      release();
      clearTimeout(retrying);
      unsubscribe();
    },
  };
}
