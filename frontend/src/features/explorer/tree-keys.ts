import type { Arg } from "./schema-tree";

/** What a key does to the row of a tree: go to another one, open or close it, follow its way back. */
export type TreeMove = { to: number } | { fold: boolean } | { back: string };

/** What a key means on a row of the arguments; `open` is undefined where nothing is under it. */
export function treeMove(
  key: string,
  rows: readonly Arg[],
  at: number,
  open: boolean | undefined,
): TreeMove | undefined {
  const row = rows[at];
  if (!row) return undefined;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { to: Math.max(at - 1, 0) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
      if (open === undefined) return undefined;
      return open ? { to: Math.min(at + 1, rows.length - 1) } : { fold: true };
    case "ArrowLeft":
      return open ? { fold: false } : out(rows, at);
    case "Enter":
      if (row.back) return { back: row.back.path };
      return open === undefined ? undefined : { fold: !open };
  }
  return undefined;
}

// The row that this one is under.
function out(rows: readonly Arg[], at: number): TreeMove | undefined {
  const depth = rows[at]?.depth ?? 0;
  const to = rows.findLastIndex((row, n) => n < at && row.depth === depth - 1);
  return to < 0 ? undefined : { to };
}
