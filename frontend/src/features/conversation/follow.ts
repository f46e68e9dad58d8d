import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { matches } from "../../lib/keys";

/** How near to the end still counts as at the end, in pixels. */
const nearEnd = 48;

/**
 * Keeps the end of a growing list in view until the person scrolls up, and again once they are back
 * at the end. What counts as scrolling up is a smaller offset while the content did not shrink:
 * rows that are measured change both.
 */
export function useFollow() {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const [atEnd, setAtEnd] = useState(true);

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    if (near) following.current = true;
    else if (box.scrollTop < last.current.top && box.scrollHeight >= last.current.height)
      following.current = false;
    last.current = { top: box.scrollTop, height: box.scrollHeight };
    setAtEnd(near || following.current);
  };
  const toEnd = () => {
    following.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  // Home and End at once: on its long way a browser's own is stopped by every row that is measured.
  const onKeyDown = (event: KeyboardEvent) => {
    const box = scroller.current;
    if (!box || event.target !== box) return;
    if (matches(event.nativeEvent, "End")) toEnd();
    else if (matches(event.nativeEvent, "Home")) {
      following.current = false;
      box.scrollTo({ top: 0 });
    } else return;
    event.preventDefault();
  };
  return { scroller, following, atEnd, onScroll, onKeyDown, toEnd };
}

/** Scrolls to the end whenever what makes the content grow has changed. */
export function useKeepEnd(follow: ReturnType<typeof useFollow>, size: number, content: unknown) {
  const { scroller, following } = follow;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every growth counts.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [size, content]);
}
