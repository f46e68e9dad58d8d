import type * as t from "../backend/types";

// A summary has a bound, so one with many servers holds some of them by name and status alone and
// leaves others out (backend/event, Fit). The pulled attachment has them all.

/** A summary with the rows that it had no room for, as far as its attempt was pulled. */
export function wholeSummary(summary: t.event.Attachment, pulled: t.Attachment | undefined) {
  const attempt = pulled?.attempts.at(-1);
  if (!attempt || attempt.id !== summary.attempt) return summary;
  const left = [...attempt.servers];
  const told = summary.servers.map((row) => {
    const at = left.findIndex((known) => isOf(row, known));
    const known = at < 0 ? undefined : left.splice(at, 1)[0];
    return known ? newer(row, known) : row;
  });
  if (!summary.servers.some(isBare)) return { ...summary, servers: told };
  const order = new Map(attempt.servers.map((known, n) => [known.name, n]));
  const place = (row: t.event.Server) => order.get(row.name) ?? order.size;
  return { ...summary, servers: [...told, ...left].sort((a, b) => place(a) - place(b)) };
}

/**
 * Reports whether a row of the person's is left with its name and status: of its times it has one at most.
 * A row is left out only where others are left so.
 */
export function isBare(row: t.event.Server): boolean {
  if (row.source === "builtin") return false;
  return Object.entries(row.times).every(([name, at]) => name === "delivered" || !at);
}

function isOf(row: t.event.Server, known: t.event.Server): boolean {
  return row.source === known.source && whole(row.name, known.name) === known.name;
}

// What was told is never older than what was pulled before it, but its texts may be cut.
function newer(row: t.event.Server, known: t.event.Server): t.event.Server {
  if (isBare(row)) return { ...known, status: row.status };
  const texts = ["name", "target", "reason", "summary", "protocol", "client"] as const;
  const full = { ...row };
  for (const text of texts) {
    const value = whole(row[text], known[text]);
    if (value !== undefined) full[text] = value;
  }
  return full;
}

// A text as it is known, where the one that was told is the beginning of it.
function whole(told: string | undefined, known: string | undefined): string | undefined {
  return told?.endsWith("…") && known?.startsWith(told.slice(0, -1)) ? known : told;
}
