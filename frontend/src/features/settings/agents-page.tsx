import { useId, useState } from "react";
import type { Agent } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { EmptyState } from "../../ui/empty-state";
import { Failure } from "../../ui/failure";
import { Icon } from "../../ui/icon";
import { loginWords } from "../../ui/login-words";
import { SafeText } from "../../ui/safetext";
import { type Shape, StatusShape, type Tone } from "../../ui/shape";
import { Skeleton } from "../../ui/skeleton";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { AgentFacts } from "./agent-facts";
import { AddAgentButton } from "./custom-agents";
import { pageWords } from "./words";

/** The agents the app knows: what is here, in which version, and what is missing to use it. */
export function AgentsPage() {
  const { store, backend } = useKandev();
  const agents = useKandevState((state) => state.agents);
  const { busy, error, run } = useWork();
  const look = () => run(() => actions.lookUpAgents(store, backend));
  return (
    <>
      <header className="set-head">
        <div>
          <h3>{words.settings.pages.agents}</h3>
          <p className="soft">{pageWords.agents.lead}</p>
        </div>
        <Button icon="loop" onClick={look} disabled={busy}>
          {pageWords.agents.again}
        </Button>
        <AddAgentButton />
      </header>
      <Failure text={error && `${pageWords.agents.failed}. ${error}`} />
      {agents === null && <Skeleton rows={6} />}
      {agents?.length === 0 && (
        <EmptyState shape={{ shape: "unknown", tone: "idle" }} title={`${pageWords.agents.none}.`} />
      )}
      {agents !== null && agents.length > 0 && <AgentTable agents={agents} />}
      <p className="faint small">{pageWords.agents.foot}</p>
    </>
  );
}

function AgentTable({ agents }: { agents: Agent[] }) {
  return (
    <table className="table agents">
      <thead>
        <tr>
          <th scope="col">{pageWords.agents.agent}</th>
          <th scope="col">{pageWords.agents.version}</th>
          <th scope="col" className="set-found">
            {pageWords.agents.found}
          </th>
          <th scope="col">{pageWords.agents.state}</th>
          <th scope="col">{pageWords.agents.use}</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </tbody>
    </table>
  );
}

interface StateOfAgent {
  shape: Shape;
  tone: Tone;
  word: string;
}

function stateOf(agent: Agent): StateOfAgent {
  if (agent.embedded) return { shape: "done", tone: "idle", word: pageWords.agents.ready };
  if (agent.installed && agent.login_state === "found")
    return { shape: "done", tone: "idle", word: pageWords.agents.loginFound };
  if (agent.installed && agent.login_state === "missing")
    return { shape: "waiting", tone: "warn", word: pageWords.agents.loggedOut };
  if (agent.installed) return { shape: "ready", tone: "idle", word: pageWords.agents.installed };
  return { shape: "unknown", tone: "idle", word: pageWords.agents.missing };
}

function foundWord(agent: Agent): string {
  if (agent.embedded) return pageWords.agents.embedded;
  if (!agent.installed) return pageWords.agents.notFound;
  return agent.place && agent.place !== "PATH" ? agent.place : pageWords.agents.onPath;
}

function AgentRow({ agent }: { agent: Agent }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const state = stateOf(agent);
  return (
    <>
      <tr className={open ? "is-open" : undefined}>
        <th scope="row">
          <button
            type="button"
            className="row"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? "down" : "right"} />
            <span className="medium">
              <SafeText text={agent.name} />
            </span>
          </button>
        </th>
        <td className="num">
          <Version agent={agent} />
        </td>
        <td className="soft set-found">{foundWord(agent)}</td>
        <td>
          <span className="row set-state" title={agent.login_note || undefined}>
            <StatusShape shape={state.shape} tone={state.tone} />
            <span>{state.word}</span>
          </span>
        </td>
        <td>
          <Use agent={agent} onLogin={() => setOpen(true)} open={open} />
        </td>
      </tr>
      {open && (
        <tr className="set-sub" id={id}>
          <td colSpan={5}>
            <AgentFacts agent={agent} />
          </td>
        </tr>
      )}
    </>
  );
}

function Version({ agent }: { agent: Agent }) {
  if (agent.version) return <SafeText text={agent.version} />;
  if (agent.pending) return <span className="faint">{pageWords.agents.asking}…</span>;
  return (
    <span className="faint" title={agent.installed ? pageWords.agents.noVersion : undefined}>
      —
    </span>
  );
}

// What is missing: the command that installs an agent, or a login; that is below the row.
function Use({ agent, open, onLogin }: { agent: Agent; open: boolean; onLogin: () => void }) {
  if (agent.embedded) return null;
  if (!agent.installed)
    return agent.install ? (
      <span className="cmd">
        <code className="cut">{agent.install}</code>
        <CopyButton label={pageWords.agents.copyInstall} text={agent.install} />
      </span>
    ) : null;
  if (agent.login_state === "found" || open) return null;
  return (
    <Button small onClick={onLogin}>
      {loginWords.begin}
    </Button>
  );
}
