import type { event } from "../backend/types";
import type { Status } from "./status-dot";

const servers: Record<string, Status> = {
  active: { shape: "active", tone: "ok", word: "Active" },
  connected: { shape: "connected", tone: "ok", word: "Connected" },
  disconnected: { shape: "disconnected", tone: "idle", word: "Disconnected" },
  delivered: { shape: "delivered", tone: "idle", word: "Delivered, connection unverified" },
  failed: { shape: "failed", tone: "bad", word: "Failed" },
  filtered: { shape: "filtered", tone: "idle", word: "Filtered" },
  unavailable: { shape: "unavailable", tone: "idle", word: "Unavailable" },
  unknown: { shape: "unknown", tone: "idle", word: "Unknown" },
};

const unknown: Status = { shape: "unknown", tone: "idle", word: "Unknown" };

/**
 * The state of a server. Without a live agent everything is last observed: the same word, a grey
 * clock for a shape; whoever shows it adds the time.
 */
export function serverStatus(status: string, live: boolean): Status {
  const known = servers[status] ?? unknown;
  return live ? known : { shape: "last", tone: "idle", word: known.word };
}

const sessions: Record<string, Status> = {
  starting: { shape: "starting", tone: "idle", word: "Starting" },
  ready: { shape: "ready", tone: "idle", word: "Ready" },
  working: { shape: "working", tone: "ok", word: "Working" },
  cancelling: { shape: "starting", tone: "idle", word: "Cancelling" },
  stopped: { shape: "stopped", tone: "idle", word: "Stopped" },
  failed: { shape: "failed", tone: "bad", word: "Failed" },
  interrupted: { shape: "last", tone: "idle", word: "Interrupted" },
};

/** The state of a session. Something that waits for the person comes before what the agent does. */
export function sessionStatus(session: event.Session): Status {
  if (session.waiting > 0) return { shape: "waiting", tone: "warn", word: "Waits for you" };
  return sessions[session.state] ?? unknown;
}

/** Reports whether a session in this state has an agent process. */
export function isLive(session: Pick<event.Session, "state">): boolean {
  return ["starting", "ready", "working", "cancelling"].includes(session.state);
}
