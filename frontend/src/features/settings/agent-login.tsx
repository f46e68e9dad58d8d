import { type ReactNode, useEffect, useRef, useState } from "react";
import { sentence } from "../../backend/error";
import type { Agent, AgentLogin as Login } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { LoginWays } from "../../ui/login-ways";
import { loginWords as say } from "../../ui/login-words";

/** How often a login that goes on is looked at, in ms. */
const lookEvery = 500;

const goesOn = (login: Login | null) => ["starting", "choose", "running"].includes(login?.state ?? "");

/**
 * A login without a session: begun here, by a way that the agent offers, and cancelled here. What else
 * can be done with the agent stands in the same row of buttons.
 */
export function AgentLogin({ agent, children }: { agent: Agent; children?: ReactNode }) {
  const { backend } = useKandev();
  const { login, error, act } = useLogin(agent.id);
  const state = login?.state ?? "";
  const text = textOf(agent, login);
  const box = useRef<HTMLElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state !== "") box.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  return (
    <section ref={box} className="login-ways" aria-label={say.name}>
      {text && (
        <p className="small" role="status">
          {text}
        </p>
      )}
      {login && (state === "choose" || state === "told") && (
        <LoginWays
          offer={login.offer}
          onChoose={(method) => {
            main.current?.focus(); // the button that was pressed goes
            void act(() => backend.chooseAgentLogin(agent.id, method));
          }}
        />
      )}
      <Failure text={error || (state === "failed" ? (login?.text ?? "") : "")} />
      <div className="row set-actions">
        {goesOn(login) ? (
          <Button ref={main} small icon="x" onClick={() => act(() => backend.cancelAgentLogin(agent.id))}>
            {say.cancel}
          </Button>
        ) : (
          <Button ref={main} small onClick={() => act(() => backend.startAgentLogin(agent.id))}>
            {state === "failed" ? say.again : say.begin}
          </Button>
        )}
        {children}
      </div>
    </section>
  );
}

function textOf(agent: Agent, login: Login | null): string {
  switch (login?.state) {
    case "starting":
      return `${say.starting(agent.name)}…`;
    case "choose":
    case "told":
      return login.text || say.choose;
    case "running":
      return login.text || say.running;
    case "done":
      return say.done;
    case "cancelled":
      return say.cancelled;
  }
  return "";
}

// How far it stands, looked at again while it goes on. Leaving the page ends one that nobody chose for.
function useLogin(agent: string) {
  const { store, backend } = useKandev();
  const [login, setLogin] = useState<Login | null>(null);
  const [error, setError] = useState("");
  const last = useRef<Login | null>(null);
  last.current = login;
  const active = goesOn(login);
  const look = async () => {
    const before = last.current?.state;
    const now = await backend.agentLogin(agent);
    setLogin(now);
    if (now.state === "done" && before !== undefined && before !== "done")
      await actions.lookUpAgents(store, backend);
  };
  const failed = (thrown: unknown) => setError(sentence(thrown));
  const act = async (what: () => Promise<void>) => {
    setError("");
    await what().then(look).catch(failed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once, and again while it goes on.
  useEffect(() => {
    void look().catch(failed);
    if (!active) return;
    const timer = setInterval(() => void look().catch(failed), lookEvery);
    return () => clearInterval(timer);
  }, [agent, active]);
  useEffect(
    () => () => {
      if (["starting", "choose"].includes(last.current?.state ?? ""))
        void backend.cancelAgentLogin(agent).catch(() => {});
    },
    [agent, backend],
  );
  return { login, error, act };
}
