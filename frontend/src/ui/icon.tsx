import type { ReactNode } from "react";

// The drawings of the icons, in a box of 16 by 16. A view uses them by name through <Icon>.
const drawings = {
  at: (
    <>
      <circle cx="8" cy="8" r="2.5" />
      <path d="M10.5 5.5v3.25a1.75 1.75 0 0 0 3.5 0V8a6 6 0 1 0-2.5 4.87" />
    </>
  ),
  board: (
    <>
      <path d="M2.75 3h2.75v10H2.75zM6.75 3H9.5v7H6.75zM10.75 3h2.5v4.5h-2.5z" />
    </>
  ),
  branch: (
    <>
      <circle cx="4.75" cy="3.75" r="1.5" />
      <circle cx="4.75" cy="12.25" r="1.5" />
      <circle cx="11.25" cy="5.25" r="1.5" />
      <path d="M4.75 5.25v5.5M11.25 6.75c0 2.5-3.25 2.25-5.25 3.5" />
    </>
  ),
  check: (
    <>
      <path d="m3.25 8.5 3 3 6.5-7" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.75V8l2.25 1.5" />
    </>
  ),
  compare: (
    <>
      <path d="M2.5 5.25H12M9.5 2.75l2.5 2.5-2.5 2.5M13.5 10.75H4M6.5 8.25 4 10.75l2.5 2.5" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  cube: (
    <>
      <path d="m8 1.75 5.4 3.125v6.25L8 14.25l-5.4-3.125v-6.25zM8 8l5.25-3M8 8v6M8 8 2.75 5" />
    </>
  ),
  down: (
    <>
      <path d="m4.5 6.25 3.5 3.5 3.5-3.5" />
    </>
  ),
  arrowDown: (
    <>
      <path d="M8 3v9.5M4.25 9 8 12.75 11.75 9" />
    </>
  ),
  drop: (
    <>
      <path d="M8 2.5V10M5 7.25l3 3 3-3M2.5 10v2A1.5 1.5 0 0 0 4 13.5h8a1.5 1.5 0 0 0 1.5-1.5v-2" />
    </>
  ),
  export: (
    <>
      <path d="M8 10V2.5M5 5.25 8 2.25l3 3M2.5 10v2A1.5 1.5 0 0 0 4 13.5h8a1.5 1.5 0 0 0 1.5-1.5v-2" />
    </>
  ),
  eye: (
    <>
      <path d="M1.5 8S3.9 3.75 8 3.75 14.5 8 14.5 8 12.1 12.25 8 12.25 1.5 8 1.5 8z" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  file: (
    <>
      <path d="M4 2.5h5L12 5.5V13a.5.5 0 0 1-.5.5h-7A.5.5 0 0 1 4 13zM8.75 2.75V6H12" />
    </>
  ),
  filter: (
    <>
      <path d="M2.5 4.25h11M4.5 8h7M6.5 11.75h3" />
    </>
  ),
  folder: (
    <>
      <path d="M2 4.75a1 1 0 0 1 1-1h3l1.5 1.5H13a1 1 0 0 1 1 1V11.75a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />
    </>
  ),
  globe: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M2.5 8h11M8 2.25c3 3.25 3 8.25 0 11.5M8 2.25c-3 3.25-3 8.25 0 11.5" />
    </>
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.25 6.5a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.75.6-.75 1.15" />
      <path d="M8 11.35v.01" strokeWidth="1.6" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 7.25v3.5" />
      <path d="M8 5.1v.01" strokeWidth="1.6" />
    </>
  ),
  left: (
    <>
      <path d="M9.75 4.5 6.25 8l3.5 3.5" />
    </>
  ),
  list: (
    <>
      <path d="M3 4.25h10M3 8h10M3 11.75h6" />
    </>
  ),
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1.25" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  loop: (
    <>
      <path d="M12.75 6.25A5 5 0 0 0 3.4 6M3.25 9.75a5 5 0 0 0 9.35.25M12.75 3v3.25H9.5M3.25 13V9.75H6.5" />
    </>
  ),
  minus: (
    <>
      <path d="M3.5 8h9" />
    </>
  ),
  more: (
    <>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="1.9" />
    </>
  ),
  panel: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M9.75 3v10" />
    </>
  ),
  pencil: (
    <>
      <path d="m3 13 .6-2.7 7-7a1.45 1.45 0 0 1 2.1 2.1l-7 7zM9.5 4.4l2.1 2.1" />
    </>
  ),
  pin: (
    <>
      <path d="M6 2.5h4M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v5" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.25v9.5L12.5 8z" />
    </>
  ),
  plug: (
    <>
      <path d="M5.75 2v3M10.25 2v3M4 5h8v2.25a4 4 0 0 1-8 0zM8 11.25V14" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  rail: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M6.25 3v10" />
    </>
  ),
  reply: (
    <>
      <path d="M6 4 2.75 7.25 6 10.5M3 7.25h6.5a3.5 3.5 0 0 1 3.5 3.5V12" />
    </>
  ),
  right: (
    <>
      <path d="m6.25 4.5 3.5 3.5-3.5 3.5" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.25 3.25" />
    </>
  ),
  sliders: (
    <>
      <path d="M2 5h6.25M11.75 5H14M2 11h2.25M7.75 11H14" />
      <circle cx="10" cy="5" r="1.75" />
      <circle cx="6" cy="11" r="1.75" />
    </>
  ),
  sort: (
    <>
      <path d="M4.75 3v9.75M2.25 10.25l2.5 2.5 2.5-2.5M9 4h5M9 8h3.5M9 12h2" />
    </>
  ),
  stop: (
    <>
      <rect x="4.25" y="4.25" width="7.5" height="7.5" rx="1" fill="currentColor" />
    </>
  ),
  swap: (
    <>
      <path d="M5 2.75v10M2.75 5 5 2.75 7.25 5M11 13.25v-10M8.75 11 11 13.25 13.25 11" />
    </>
  ),
  term: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="m4.75 6.25 2 2-2 2M8.5 10.25h2.75" />
    </>
  ),
  arrowUp: (
    <>
      <path d="M8 13V3.5M4.25 7 8 3.25 11.75 7" />
    </>
  ),
  updown: (
    <>
      <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.75 14 13H2zM8 6.75v2.75" />
      <path d="M8 11.25v.01" strokeWidth="1.6" />
    </>
  ),
  x: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

/** An icon at rest. It says nothing to a screen reader: the control around it carries the name. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className ? `i ${className}` : "i"}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}
