import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

export interface RowFocus {
  /** The one row in the tab order. */
  at: number;
  /** Gives it the focus once it is drawn. */
  focusRow(): void;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

/**
 * Which of many rows is in the tab order, and when it takes the focus. Where the active row is gone
 * the one in its place follows it, with the focus if it had that.
 */
export function useRowFocus(
  place: RefObject<HTMLElement | null>,
  keys: readonly string[],
  active: string,
): RowFocus {
  // Coming back from a tool, the focus goes to its row; it is never taken from anything else.
  const wanted = useRef(document.activeElement?.closest("section.ex-pane") != null);
  const focused = useRef("");
  const last = useRef(0);
  const found = keys.indexOf(active);
  const at = found >= 0 ? found : active === "" ? 0 : Math.max(0, Math.min(last.current, keys.length - 1));
  useLayoutEffect(() => {
    last.current = at;
    if (focused.current !== "" && !keys.includes(focused.current)) {
      focused.current = "";
      wanted.current = true;
    }
    if (!wanted.current) return;
    const row = place.current?.querySelector<HTMLElement>(".tool[tabindex='0']");
    if (!row) return;
    wanted.current = false;
    row.focus({ preventScroll: true });
  });
  return {
    at,
    focusRow() {
      wanted.current = true;
    },
    onFocus(event) {
      focused.current = (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset.key ?? "";
    },
    onBlur(event) {
      // Nothing else has it when its row was taken away.
      if (event.relatedTarget) focused.current = "";
    },
  };
}
