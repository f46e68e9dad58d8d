import type { event } from "../backend/types";
import type { State } from "./store";

/**
 * What the agent of a session is called where it is one word among others. The session's own name for it
 * has the version as well, which stands over the session.
 */
export function agentName(session: event.Session, agents: State["agents"]): string {
  const full = session.agent_name || session.agent;
  const known = agents?.find(({ id }) => id === session.agent)?.name;
  return known && full.startsWith(`${known} `) ? known : full;
}

/** The same by the id of the session; "" for one that is not known. */
export function agentNameOf(state: State, session: string): string {
  const row = state.sessions[session];
  return row ? agentName(row, state.agents) : "";
}
