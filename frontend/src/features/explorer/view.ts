import { useCallback, useState } from "react";
import type { Store } from "../../state/store";
import { useKandev } from "../../state/use";
import { firstView, type ListView } from "./list";

/** Where the person is in the explorer of one session. */
export interface View extends ListView {
  /** The server on screen; "" is the built-in one. */
  server: string;
  /** The key of the tool on screen; "" is the list. */
  tool: string;
  /** The row that has or had the focus. */
  active: string;
  /** How far the list is scrolled, in pixels; kept while a tool is on screen. */
  scroll: number;
  json: boolean;
  /** The JSON is shown in one piece. */
  served: boolean;
}

const first: View = {
  ...firstView,
  server: "",
  tool: "",
  active: "",
  scroll: 0,
  json: false,
  served: false,
};

// By store and session: sorting and filters stay while another session is on screen.
const kept = new WeakMap<Store, Map<string, View>>();

/** The view of a session and what changes it. */
export function useView(session: string): [View, (change: Partial<View>) => void] {
  const { store } = useKandev();
  const [view, setView] = useState(() => kept.get(store)?.get(session) ?? first);
  const change = useCallback(
    (part: Partial<View>) =>
      setView((now) => {
        const next = { ...now, ...part };
        const views = kept.get(store) ?? new Map<string, View>();
        kept.set(store, views.set(session, next));
        return next;
      }),
    [store, session],
  );
  return [view, change];
}

/** What opening starts with: the built-in server's tools from the top; sorting and filters stay. */
export const opened: Partial<View> = { server: "", tool: "", active: "", scroll: 0, query: "" };

/** What choosing a server means: its own first level. */
export function choose(server: string): Partial<View> {
  return { server, tool: "", active: "", scroll: 0 };
}
