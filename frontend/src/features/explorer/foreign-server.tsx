import type { event } from "../../backend/types";
import { EmptyState } from "../../ui/empty-state";
import { SafeText } from "../../ui/safetext";
import { serverStatus } from "../../ui/status";
import { seconds } from "./status-word";
import { words } from "./words";

/** A server of the person's own: what is known of it, and why its tools cannot be listed. */
export function ForeignServer({
  server,
  agent,
  live,
}: {
  server: event.Server;
  agent: string;
  live: boolean;
}) {
  const { shape, tone } = serverStatus(server.status, live);
  const { state } = words;
  const transport = words.sub.transport[server.transport ?? ""] ?? server.transport;
  return (
    <div className="scroll pane-text">
      <EmptyState shape={{ shape, tone }} title={<SafeText text={title(server, agent)} />}>
        <SafeText text={hint(server, agent)} />
      </EmptyState>
      <section className="pane-sec">
        <h3 className="cap">{state.configuration}</h3>
        <dl className="dl">
          {transport && (
            <>
              <dt>{state.transport}</dt>
              <dd>
                <SafeText text={transport} />
              </dd>
            </>
          )}
          {server.target && (
            <>
              <dt>{server.transport === "stdio" ? state.program : state.host}</dt>
              <dd className="mono">
                <SafeText text={server.target} />
              </dd>
            </>
          )}
        </dl>
        <p className="faint small">{state.kept}</p>
      </section>
    </div>
  );
}

function title(server: event.Server, agent: string): string {
  const { state } = words;
  if (server.status === "failed")
    return state.failed(server.times.failed ? seconds(server.times.failed) : words.never);
  if (server.status === "filtered" || server.status === "unavailable") return state.notGiven(agent);
  return state.foreign;
}

function hint(server: event.Server, agent: string): string {
  const { state } = words;
  if (server.status === "filtered" || server.status === "unavailable")
    return [server.summary, state.notGivenHint].filter(Boolean).join(" ");
  if (server.status === "failed") return [server.summary, state.failedHint].filter(Boolean).join(" ");
  if (server.times.accepted) return state.foreignAccepted(agent, seconds(server.times.accepted));
  if (server.times.delivered) return state.foreignDelivered(agent, seconds(server.times.delivered));
  return state.foreignHint;
}
