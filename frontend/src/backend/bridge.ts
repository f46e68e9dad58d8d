import type { Backend, EventSource } from "./backend";
import { type Bound, createClient, fetchToken } from "./client";
import { type Runtime, wailsEvents } from "./events";

// The one file that touches what Wails puts into the page.
interface Page {
  go?: { app?: { API?: Bound } };
  runtime?: Runtime;
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
    if (!page.runtime) throw new Error("The page runs outside the app.");
    return page.runtime;
  });
  return { backend, events };
}
