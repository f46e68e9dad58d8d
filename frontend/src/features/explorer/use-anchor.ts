import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef } from "react";

/** Holds on to the row under the pointer. */
export interface Anchor {
  /** Takes the row that the pointer is on; answers whether it is another one than before. */
  point(event: PointerEvent<HTMLElement>): boolean;
  leave(): void;
}

/**
 * Keeps the row under the pointer where it is when rows before it come or go: the list scrolls by
 * as much as the row moved.
 */
export function useAnchor(
  place: RefObject<HTMLElement | null>,
  keys: readonly string[],
  height: number,
): Anchor {
  const held = useRef<{ key: string; at: number } | null>(null);
  const now = useRef(keys);
  useLayoutEffect(() => {
    now.current = keys;
    const row = held.current;
    if (!row || !place.current) return;
    const at = keys.indexOf(row.key);
    if (at >= 0 && at !== row.at) place.current.scrollTop += (at - row.at) * height;
    held.current = at >= 0 ? { key: row.key, at } : null;
  }, [place, keys, height]);
  return useMemo(
    () => ({
      point(event) {
        const row = (event.target as Element).closest<HTMLElement>("[data-key]");
        const key = row?.dataset.key;
        if (key === undefined || key === held.current?.key) return false;
        held.current = { key, at: now.current.indexOf(key) };
        return true;
      },
      leave() {
        held.current = null;
      },
    }),
    [],
  );
}
