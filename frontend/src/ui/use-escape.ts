import { type RefObject, useEffect, useRef } from "react";

/**
 * Esc ends what is open in a part of a dialog or page, and that alone; null: nothing is open. Give the
 * answer to that part: under a dialog or a menu it does not hear of the key.
 */
export function useEscape<T extends Element>(close: (() => void) | null): RefObject<T | null> {
  const place = useRef<T>(null);
  useEffect(() => {
    if (!close) return;
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing) return;
      const top = [...document.querySelectorAll("[role=dialog], [role=menu]")].at(-1);
      if (top && !top.contains(place.current)) return;
      event.stopPropagation(); // before the dialog around it hears of the key
      close();
    };
    addEventListener("keydown", key, true);
    return () => removeEventListener("keydown", key, true);
  }, [close]);
  return place;
}
