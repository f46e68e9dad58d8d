import type { ReactNode } from "react";

// One shape for each state, in a box of 12 by 12: filled is alive, a ring is idle, half is
// unproven, a bar is filtered, a diamond waits for the person, an octagon failed, a clock is past.
const shapes = {
  active: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="currentColor" stroke="none" />
    </>
  ),
  connected: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <circle cx="6" cy="6" r="1.75" fill="currentColor" stroke="none" />
    </>
  ),
  delivered: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M6 1.75a4.25 4.25 0 0 0 0 8.5z" fill="currentColor" stroke="none" />
    </>
  ),
  disconnected: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="m3 9 6-6" />
    </>
  ),
  done: (
    <>
      <path d="m2 6.4 2.7 2.7L10.2 3" />
    </>
  ),
  failed: (
    <>
      <path d="M4 1h4l3 3v4L8 11H4L1 8V4zM4.1 4.1l3.8 3.8M7.9 4.1 4.1 7.9" fill="none" />
    </>
  ),
  filtered: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M3.75 6h4.5" />
    </>
  ),
  last: (
    <>
      <circle cx="6" cy="6" r="4.75" />
      <path d="M6 3.5V6l1.75 1" />
    </>
  ),
  ready: (
    <>
      <circle cx="6" cy="6" r="4.25" />
    </>
  ),
  starting: (
    <>
      <circle cx="6" cy="6" r="4.25" strokeDasharray="1.5 1.84" />
    </>
  ),
  stopped: (
    <>
      <rect x="2.5" y="2.5" width="7" height="7" rx="1" fill="currentColor" stroke="none" />
    </>
  ),
  unavailable: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="m4.4 4.4 3.2 3.2M7.6 4.4 4.4 7.6" />
    </>
  ),
  unknown: (
    <>
      <circle cx="6" cy="6" r="4.25" strokeDasharray="1.5 1.84" />
    </>
  ),
  waiting: (
    <>
      <path d="M6 .9 11.1 6 6 11.1.9 6z" fill="currentColor" stroke="none" />
    </>
  ),
  working: (
    <>
      <path d="M6 1.75A4.25 4.25 0 1 1 1.75 6" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type Shape = keyof typeof shapes;

export type Tone = "ok" | "warn" | "bad" | "idle";

/** The shape of a state in its tone, without a word. A word always stands beside it. */
export function StatusShape({ shape, tone }: { shape: Shape; tone: Tone }) {
  const turning = shape === "working" ? " turning" : "";
  return (
    <svg
      className={`s s-${tone}${turning}`}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapes[shape]}
    </svg>
  );
}
