import type * as t from "../../backend/types";
import { EmptyState } from "../../ui/empty-state";
import { SafeText } from "../../ui/safetext";
import { serverStatus } from "../../ui/status";
import { measuredWith, unconnected } from "./names";
import { seconds } from "./status-word";
import { words } from "./words";

/** A server of the person's own: what is known of it, and why its tools cannot be listed. */
export function ForeignServer({
  server,
  agent,
  live,
}: {
  server: t.event.Server;
  agent: t.AgentNames;
  live: boolean;
}) {
  const { shape, tone } = serverStatus(server.status, live);
  const { state } = words;
  const transport = words.sub.transport[server.transport ?? ""] ?? server.transport;
  return (
    <div className="scroll pane-text">
      <EmptyState shape={{ shape, tone }} title={<SafeText text={title(server, agent.name)} />}>
        <SafeText
          text={[hint(server, agent.name), unconnected(server, agent, live)].filter(Boolean).join(" ")}
        />
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
        {given(server) && (
          <>
            <h3 className="cap">{state.values}</h3>
            <p className="faint small">
              <SafeText text={values(agent)} />
            </p>
          </>
        )}
      </section>
    </div>
  );
}

function title(server: t.event.Server, agent: string): string {
  const { state } = words;
  if (server.status === "failed")
    return state.failed(server.times.failed ? seconds(server.times.failed) : words.never);
  if (server.status === "filtered" || server.status === "unavailable") return state.notGiven(agent);
  return state.foreign;
}

function hint(server: t.event.Server, agent: string): string {
  const { state } = words;
  if (server.status === "filtered" || server.status === "unavailable")
    return [server.summary, state.notGivenHint].filter(Boolean).join(" ");
  if (server.status === "failed") return [server.summary, state.failedHint].filter(Boolean).join(" ");
  if (server.times.accepted) return state.foreignAccepted(agent, seconds(server.times.accepted));
  if (server.times.delivered) return state.foreignDelivered(agent, seconds(server.times.delivered));
  return state.foreignHint;
}

const given = (server: t.event.Server) => server.status !== "filtered" && server.status !== "unavailable";

// Who can read what the agent was given in headers and environment.
function values(agent: t.AgentNames): string {
  if (!agent.client.values) return words.state.valuesUnknown(agent.name);
  return [agent.client.values, measuredWith(agent)].filter(Boolean).join(" ");
}
