import { useEffect } from "react";
import { letter, matches } from "./lib/keys";
import * as actions from "./state/actions";
import type { Store } from "./state/store";
import { useKandev } from "./state/use";

/** Keys of the whole window. Nothing of them acts while an input method is composing. */
export function useHotkeys() {
  const { store } = useKandev();
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && act(store, event)) event.preventDefault();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [store]);
}

// Reports whether the key meant something.
function act(store: Store, event: KeyboardEvent): boolean {
  const state = store.getState();
  if (state.epoch === "" || state.quit) return false;
  if (matches(event, "Mod+K")) {
    actions.openDialog(store, state.dialog === "palette" ? "" : "palette");
    return true;
  }
  if (matches(event, "Mod+Shift+M")) {
    actions.setExplorer(store, !state.explorer);
    return true;
  }
  // Single letters belong to what is on top: a dialog, a menu, the explorer.
  if (state.dialog !== "" || state.explorer || document.querySelector("[role=menu], [role=dialog]"))
    return false;
  const off = state.settings.letters_off;
  if (letter(event, "N", off)) {
    actions.openDialog(store, "new-session");
    return true;
  }
  if (letter(event, "?", off)) {
    actions.openDialog(store, "keys");
    return true;
  }
  return false;
}
