import type { EventSource } from "./backend";
import { event as normal } from "./normal";
import type { event } from "./types";

/** The name under which the app emits its stream. */
const streamName = "kandev";

/** The part of Wails' runtime that the stream needs. */
export interface Runtime {
  EventsOn(name: string, listener: (...args: unknown[]) => void): () => void;
}

/**
 * The stream over Wails' events. Adding and removing is put off to a microtask: done inside a
 * callback of the same event, Wails v2.16.0 undoes the removal.
 */
export function wailsEvents(runtime: () => Runtime): EventSource {
  return {
    subscribe(listener) {
      let ended = false;
      let off: (() => void) | undefined;
      queueMicrotask(() => {
        if (ended) return;
        off = runtime().EventsOn(streamName, (given) => {
          if (!ended) listener(normal(given as event.Event));
        });
      });
      return () => {
        ended = true;
        queueMicrotask(() => off?.());
      };
    },
  };
}
