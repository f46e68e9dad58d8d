import type { Agent } from "../../backend/types";
import { CopyButton } from "../../ui/copy-button";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";

export interface AgentListProps {
  /** null while they are looked up. */
  agents: Agent[] | null;
  value: string;
  onChange: (id: string) => void;
}

/** Agents of this machine: the embedded one, installed ones, then the others with their command. */
export function AgentList({ agents, value, onChange }: AgentListProps) {
  if (agents === null) return <Skeleton rows={3} />;
  const rank = (agent: Agent) => (agent.embedded ? 0 : agent.installed ? 1 : 2);
  const sorted = [...agents].sort((a, b) => rank(a) - rank(b));
  return (
    <fieldset className="agent-list scroll">
      <legend className="sr">{words.create.agent}</legend>
      {sorted.map((agent) =>
        agent.installed ? (
          <label key={agent.id} className="opt">
            <input
              type="radio"
              name="agent"
              className="disc"
              checked={agent.id === value}
              onChange={() => onChange(agent.id)}
            />
            <span className="opt-label">
              <SafeText text={agent.name} />
            </span>
            <span className="opt-note">
              {[
                agent.version,
                agent.embedded ? words.create.byHand : "",
                agent.login_state === "missing" ? words.create.loggedOut : "",
              ]
                .filter(Boolean)
                .join(", ")}
            </span>
          </label>
        ) : (
          <div key={agent.id} className="opt is-off">
            <span className="disc" />
            <span className="opt-label">
              <SafeText text={agent.name} />
            </span>
            <span className="opt-note">{words.create.notInstalled}</span>
            {agent.install && (
              <span className="cmd end">
                <code className="cut">{agent.install}</code>
                <CopyButton label={words.create.install} text={agent.install} />
              </span>
            )}
          </div>
        ),
      )}
    </fieldset>
  );
}
