import type { event } from "../../backend/types";
import { clock } from "../../lib/format";
import { serverStatus } from "../../ui/status";
import { lastSeen } from "./evidence";
import { words } from "./words";

/** The state of a server in words: with its time when it is over, with its reason when it has one. */
export function statusWord(server: event.Server, live: boolean): string {
  if (!live) return words.lastObserved(clock(lastSeen(server)));
  const { word } = serverStatus(server.status, live);
  if (server.status === "disconnected" && server.times.closed)
    return `${word} ${seconds(server.times.closed)}`;
  const short = server.summary && server.summary.length <= shortest ? server.summary.replace(/\.$/, "") : "";
  return short && ["filtered", "unavailable"].includes(server.status) ? `${word}: ${short}` : word;
}

/** A summary up to this length stands beside the word; a longer one only in the pane. */
const shortest = 48;

const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A time with seconds, as evidence needs it: "09:12:07", of another day "3 Sep 09:12". */
export function seconds(ms: number, now = Date.now()): string {
  const at = new Date(ms);
  return at.toDateString() === new Date(now).toDateString() ? format.format(at) : clock(ms, now);
}
