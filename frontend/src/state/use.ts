import { createContext, use, useEffect } from "react";
import { useStore } from "zustand";
import type { Backend } from "../backend/backend";
import { showCard } from "./actions";
import type { CardKind, State, Store } from "./store";

/** What every view stands in: the state and what may be asked of the app. */
export interface Kandev {
  store: Store;
  backend: Backend;
  /** Pulls a session's attachment again after it failed. */
  retry: (what: string) => void;
}

export const KandevContext = createContext<Kandev | null>(null);

/** The store, the backend; a view without them is a mistake. */
export function useKandev(): Kandev {
  const found = use(KandevContext);
  if (!found) throw new Error("KandevContext is missing");
  return found;
}

export function useBackend(): Backend {
  return useKandev().backend;
}

/** Has the content of a question or a permission pulled while its card is there. */
export function useCard(kind: CardKind, id: string) {
  const { store } = useKandev();
  useEffect(() => showCard(store, kind, id), [store, kind, id]);
}

/** A part of the state. `select` must answer the same object while nothing changed. */
export function useKandevState<T>(select: (state: State) => T): T {
  return useStore(useKandev().store, select);
}
