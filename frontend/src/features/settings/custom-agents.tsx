import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { sentence } from "../../backend/error";
import type { Agent, CustomAgent } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { AskOnce, useAsking } from "../../ui/ask-once";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { bearers } from "./custom-change";
import { CustomForm } from "./custom-form";
import { pageWords } from "./words";

const say = pageWords.custom;

/** Opens the form for an agent of the person's own; null for a new one. */
const Edit = createContext<(agent: Agent | null) => void>(() => {});

/** Puts the form of an own agent in the place of the page of agents while it is open. */
export function CustomAgents({
  back,
  children,
}: {
  back: { current: (() => void) | null };
  children: ReactNode;
}) {
  const { store, backend } = useKandev();
  const [over, setOver] = useState<{ agent: Agent | null } | null>(null);
  const open = useMemo(() => (agent: Agent | null) => setOver({ agent }), []);
  const close = useCallback(() => {
    setOver(null);
    actions.lookUpAgents(store, backend).catch((thrown) => actions.report(store, sentence(thrown)));
  }, [store, backend]);
  useEffect(() => {
    back.current = over ? close : null;
  }, [over, close, back]);
  if (over) return <CustomForm agent={over.agent} onClose={close} />;
  return <Edit.Provider value={open}>{children}</Edit.Provider>;
}

/** Opens the form for a new agent. */
export function AddAgentButton() {
  const edit = useContext(Edit);
  return (
    <Button icon="plus" onClick={() => edit(null)}>
      {say.add}
    </Button>
  );
}

/** Facts of an own agent, in the place of what would have been measured. */
export function CustomFacts({ custom }: { custom: CustomAgent }) {
  const bearer = bearers.find((known) => known === custom.bearer);
  return (
    <>
      <dt>{say.env}</dt>
      <dd className={custom.env.length > 0 ? "mono" : undefined}>
        {custom.env.length > 0 ? <SafeText text={custom.env.join(", ")} /> : say.noEnv}
      </dd>
      <dt>{say.bearer}</dt>
      <dd>{bearer ? say.bearers[bearer].name : custom.bearer}</dd>
      <dt>{pageWords.agents.facts.measured}</dt>
      <dd>{say.notMeasured}</dd>
    </>
  );
}

/** What can be done with an own agent, in the row of buttons below its facts; nothing for a known one. */
export function CustomAgentActions({ agent }: { agent: Agent }) {
  const { store, backend } = useKandev();
  const edit = useContext(Edit);
  const { asking, kept, ask, keep, end } = useAsking();
  const [error, setError] = useState("");
  if (!agent.custom) return null;
  const remove = async () => {
    try {
      await backend.deleteCustomAgent(agent.id);
      await actions.lookUpAgents(store, backend);
    } catch (thrown) {
      end();
      setError(sentence(thrown));
    }
  };
  return (
    <>
      {!asking && (
        <>
          <Button small icon="pencil" onClick={() => edit(agent)}>
            {say.edit}
          </Button>
          <Button small kind="quiet" icon="x" autoFocus={kept} onClick={ask}>
            {say.removeMore}
          </Button>
        </>
      )}
      {asking && (
        <div className="set-line">
          <AskOnce
            text={say.removeAsk(agent.name)}
            label={say.remove}
            onYes={() => void remove()}
            onKeep={keep}
          />
        </div>
      )}
      {agent.why && (
        <p className="small wrap set-line">
          <SafeText text={agent.why} />
        </p>
      )}
      {error && (
        <div className="set-line">
          <Failure text={error} />
        </div>
      )}
    </>
  );
}
