// Numbers and times for a person. Thousands have a comma, estimates a ~, the unknown is a dash.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number with commas: 18,420. */
export function count(n: number): string {
  return whole.format(n);
}

/** "1 tool", "12 tools". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** An estimate: "~1 token", "~18,420 tokens"; "—" while it is not known. */
export function tokens(n: number | undefined): string {
  return n === undefined ? "—" : `~${plural(n, "token")}`;
}

/** The figure alone: "~18,420", "—". */
export function tokenFigure(n: number | undefined): string {
  return n === undefined ? "—" : `~${count(n)}`;
}

/** A count that may not be known: "128", "—". */
export function known(n: number | undefined): string {
  return n === undefined ? "—" : count(n);
}

/** Bytes as KiB and MiB: "64 KiB", "1.2 MiB". */
export function bytes(n: number): string {
  if (n < 1024) return `${count(n)} B`;
  const kib = n / 1024;
  if (kib < 1024) return `${count(Math.round(kib))} KiB`;
  const mib = kib / 1024;
  if (mib < 1024) return `${mib < 10 ? mib.toFixed(1) : count(Math.round(mib))} MiB`;
  return `${(mib / 1024).toFixed(1)} GiB`;
}

const clockFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/**
 * When something was: a time of today as "09:12", of this year as "3 Sep 09:12", else with the year.
 * "" for none; a time in the future, from a clock that was set back, is "just now".
 */
export function clock(ms: number | undefined, now = Date.now()): string {
  if (!ms) return "";
  return ms > now + 60_000 ? "just now" : clockAt(ms, now);
}

/** When something will be, in the same form. */
export function clockAt(ms: number, now = Date.now()): string {
  const at = new Date(ms);
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return clockFormat.format(at);
  const day = at.getFullYear() === today.getFullYear() ? dayFormat : yearFormat;
  return `${day.format(at)} ${clockFormat.format(at)}`;
}

/** How long something took: "38 ms", "2.9 s", "4 min 12 s". */
export function duration(ms: number): string {
  const n = Math.max(0, ms);
  if (n < 1000) return `${Math.round(n)} ms`;
  if (n < 60_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(n / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((n % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A running clock: "0:07", "4:12", "1:04:12". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
