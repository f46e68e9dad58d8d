import { useEffect } from "react";
import * as actions from "./state/actions";
import { useKandev, useKandevState } from "./state/use";
import { words } from "./words";

/** Light, dark, or nothing: then the system decides. */
export function useTheme() {
  const theme = useKandevState((state) => state.settings.theme);
  useEffect(() => {
    const root = document.documentElement;
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }, [theme]);
}

/** Agents are looked up once the app answers, and again when the new-session dialog opens. */
export function useAgents() {
  const { store, backend } = useKandev();
  const epoch = useKandevState((state) => state.epoch);
  const choosing = useKandevState((state) => state.dialog === "new-session");
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening the dialog looks them up again.
  useEffect(() => {
    if (epoch === "") return;
    actions
      .lookUpAgents(store, backend)
      .catch((error) => actions.report(store, `${words.create.agentsFailed} ${error.message}`));
  }, [epoch, choosing, backend, store]);
  // An agent that has to be run for its version answers within seconds.
  const pending = useKandevState((state) => state.agents?.some((agent) => agent.pending) ?? false);
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => void actions.lookUpAgents(store, backend).catch(() => {}), 1000);
    return () => clearInterval(timer);
  }, [pending, backend, store]);
}

/** Folders come and go while the person is elsewhere: looked at again when they come back. */
export function useFolders() {
  const { store, backend } = useKandev();
  useEffect(() => {
    const look = () => {
      if (store.getState().link === "live") backend.checkProjects().catch(() => {});
    };
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [store, backend]);
}
