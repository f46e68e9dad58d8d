import type { ReactNode } from "react";
import type { Agent } from "../../backend/types";
import { count } from "../../lib/format";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { SafeText } from "../../ui/safetext";
import { AgentLogin } from "./agent-login";
import { CustomAgentActions, CustomFacts } from "./custom-agents";
import { pageWords } from "./words";

/** What is known of an agent's client, and on which version it was measured. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { store } = useKandev();
  const { facts } = agent;
  const say = pageWords.agents.facts;
  const limit = facts.name_limit ? say.limitIs(count(facts.name_limit), facts.beyond_limit) : say.noLimit;
  return (
    <>
      <div className="set-facts">
        <dl className="dl small">
          {agent.path && <Fact name={say.path} mono text={agent.path} />}
          {!agent.embedded && <Fact name={say.starts} mono text={facts.starts} />}
          {agent.installed && !agent.embedded && (
            <Fact name={say.known} text={agent.login_note || say.unknown} />
          )}
          {agent.login && (
            <>
              <dt>{say.login}</dt>
              <dd>
                <span className="cmd">
                  <code className="cut">{agent.login}</code>
                  <CopyButton label={say.copyLogin} text={agent.login} />
                </span>
              </dd>
            </>
          )}
          <Fact name={say.servers} text={facts.ignores_servers ? say.serversIgnored : say.serversTaken} />
        </dl>
        {agent.custom && <CustomFacts custom={agent.custom} />}
        <dl className="dl small" hidden={agent.custom !== undefined}>
          <Fact name={say.model} mono text={facts.model_name || say.noLimit} />
          <Fact name={say.limit} text={limit} />
          <Fact name={say.changes} text={facts.ignores_changes ? say.changesIgnored : say.changesRead} />
          <Fact
            name={say.definitions}
            text={facts.client.deferred || (facts.defers_tools ? say.deferred : say.upFront)}
          />
          {facts.client.values && <Fact name={say.values} text={facts.client.values} />}
          {facts.client.unconnected && <Fact name={say.unconnected} text={facts.client.unconnected} />}
          <Fact name={say.measured} text={facts.measured_with || say.notMeasured} />
        </dl>
      </div>
      {agent.installed && agent.login_state !== "none" && <AgentLogin agent={agent} />}
      <CustomAgentActions agent={agent} />
      {agent.installed && (
        <div className="row set-actions">
          <Button small onClick={() => actions.openDialog(store, "new-session")}>
            {pageWords.agents.newSession}
          </Button>
        </div>
      )}
    </>
  );
}

interface FactProps {
  name: ReactNode;
  text: string;
  mono?: boolean;
}

function Fact({ name, text, mono }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? "mono" : undefined}>
        <SafeText text={text} />
      </dd>
    </>
  );
}
