import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

/** How long a pointer rests on a control before its tooltip shows, in ms. With the keyboard at once. */
const rest = 500;

const gap = 4;
const edge = 8;

/**
 * A short text beside a control on hover and keyboard focus. `children` is the one control, which
 * carries the same text as its name. It is no layer: Esc takes it away and goes on to the dialog.
 */
export function Tip({ text, keys, children }: { text: ReactNode; keys?: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [anchor, setAnchor] = useState<DOMRect | null>(null);
  const show = (after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setAnchor(place.current?.firstElementChild?.getBoundingClientRect() ?? null),
      after,
    );
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!anchor) return;
    const away = () => setAnchor(null);
    const key = (event: KeyboardEvent) => event.key === "Escape" && away();
    addEventListener("keydown", key, true);
    addEventListener("scroll", away, true);
    return () => {
      removeEventListener("keydown", key, true);
      removeEventListener("scroll", away, true);
    };
  }, [anchor]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what the control in it hears.
    <span
      ref={place}
      className="tip-place"
      onPointerEnter={() => show(rest)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show(0)}
      onBlur={hide}
    >
      {children}
      {anchor && <Float anchor={anchor}>{[text, keys]}</Float>}
    </span>
  );
}

// Below the control, above it where there is no room, never out of the window.
function Float({ anchor, children }: { anchor: DOMRect; children: [ReactNode, ReactNode] }) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const tip = box.current;
    if (!tip) return;
    const { width, height } = tip.getBoundingClientRect();
    const below = anchor.bottom + gap + height <= innerHeight - edge;
    const left = anchor.left + anchor.width / 2 - width / 2;
    tip.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`;
    tip.style.top = `${below ? anchor.bottom + gap : anchor.top - gap - height}px`;
  });
  return createPortal(
    <span ref={box} className="pop tip" aria-hidden="true">
      {children[0]}
      {children[1]}
    </span>,
    document.body,
  );
}
