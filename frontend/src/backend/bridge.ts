import { words } from "../words";
import type { Backend, EventSource } from "./backend";
import { type Bound, createClient, fetchToken } from "./client";
import { type DropRuntime, wailsDrops } from "./drops";
import { type Runtime, wailsEvents } from "./events";

// The one file that touches what Wails puts into the page.
interface Page {
  go?: { app?: { API?: Bound } };
  runtime?: Runtime & DropRuntime;
}

/** Reports whether the page runs inside the app. */
export function hasBridge(): boolean {
  return (window as Page).go?.app?.API !== undefined;
}

/** The real backend and its stream. */
export function connectBridge(): { backend: Backend; events: EventSource } {
  const page = window as Page;
  const backend = createClient(() => page.go?.app?.API ?? {}, fetchToken);
  const events = wailsEvents(() => {
    if (!page.runtime) throw new Error(words.link.outside);
    return page.runtime;
  });
  return { backend, events };
}

/** Tells of what is dropped on the window; never, where the page runs outside the app. */
export function onDrop(listener: (paths: string[]) => void) {
  wailsDrops((window as Page).runtime, listener);
}
