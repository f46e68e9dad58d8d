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
import { Preamble } from "./preamble";
import { pageWords } from "./words";

const say = pageWords.agents.facts;

/** What is known of an agent's client, on which version it was measured, and what can be done with it. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { store } = useKandev();
  const canLogIn = agent.installed && agent.login_state !== "none";
  const actionsOfAll = (
    <>
      {agent.installed && (
        <Button small onClick={() => actions.openDialog(store, "new-session", agent.id)}>
          {pageWords.agents.newSession}
        </Button>
      )}
      <CustomAgentActions agent={agent} />
    </>
  );
  return (
    <>
      <dl className="dl small">
        <HowItStarts agent={agent} />
        <Preamble agent={agent.id} />
        {agent.custom ? <CustomFacts custom={agent.custom} /> : <Measured agent={agent} />}
      </dl>
      {canLogIn ? (
        <AgentLogin agent={agent}>{actionsOfAll}</AgentLogin>
      ) : (
        <div className="row set-actions">{actionsOfAll}</div>
      )}
    </>
  );
}

function HowItStarts({ agent }: { agent: Agent }) {
  return (
    <>
      {agent.path && <Fact name={say.path} mono text={agent.path} />}
      {!agent.embedded && <Fact name={say.starts} mono text={agent.facts.starts} />}
      {agent.installed && !agent.embedded && <Fact name={say.known} text={agent.login_note || say.unknown} />}
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
      <Fact name={say.servers} text={agent.facts.ignores_servers ? say.serversIgnored : say.serversTaken} />
    </>
  );
}

function Measured({ agent: { facts, embedded } }: { agent: Agent }) {
  const limit = facts.name_limit ? say.limitIs(count(facts.name_limit), facts.beyond_limit) : say.noLimit;
  return (
    <>
      <Fact name={say.model} mono text={facts.model_name || say.noLimit} />
      <Fact name={say.limit} text={limit} />
      <Fact name={say.changes} text={facts.ignores_changes ? say.changesIgnored : say.changesRead} />
      <Fact
        name={say.definitions}
        text={facts.client.deferred || (facts.defers_tools ? say.deferred : say.upFront)}
      />
      {facts.client.values && <Fact name={say.values} text={facts.client.values} />}
      {facts.client.unconnected && <Fact name={say.unconnected} text={facts.client.unconnected} />}
      {!embedded && <Fact name={say.measured} text={facts.measured_with || say.notMeasured} />}
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
