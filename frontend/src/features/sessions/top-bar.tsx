import { useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { event } from "../../backend/types";
import { elapsed } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { sessionTitle } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Button, IconButton } from "../../ui/button";
import { SafeText } from "../../ui/safetext";
import { sessionStatus } from "../../ui/status";
import { StatusDot } from "../../ui/status-dot";
import { words } from "../../words";
import { Plug } from "./plug";
import { SessionMenu } from "./session-menu";
import "./top-bar.css";

/** The bar over a session: title, agent, place, state, MCP plug, stop. */
export function TopBar() {
  const { store, backend } = useKandev();
  const session = useKandevState((state) => state.sessions[state.session]);
  const title = useKandevState((state) => sessionTitle(state, state.session)) || words.rail.missingTask;
  const folder = useKandevState((state) => state.projects[state.project]?.name ?? "");
  return (
    <header className="bar top">
      <IconButton
        className="narrow"
        icon="rail"
        label={words.rail.show}
        onClick={() => store.setState({ drawer: true })}
      />
      {session ? (
        <>
          <h1 className="cut" title={plainMarked(title)}>
            <SafeText text={title} />
          </h1>
          <div className="top-meta cut">
            <span>
              <SafeText text={session.agent_name || session.agent} />
            </span>
            <span className="wide">{words.session.executor[session.executor] ?? session.executor}</span>
            <button
              type="button"
              className="wide mono top-folder"
              title={words.session.openFolder}
              onClick={() => {
                backend.openPlace(session.id).catch((error) => actions.report(store, sentence(error)));
              }}
            >
              <SafeText text={folder} />
            </button>
          </div>
          <div className="top-end">
            <State session={session} />
            <Plug session={session.id} />
            <Stop session={session} />
            <SessionMenu session={session} />
          </div>
        </>
      ) : (
        <h1 className="cut">{words.app}</h1>
      )}
    </header>
  );
}

function State({ session }: { session: event.Session }) {
  const status = sessionStatus(session);
  if (session.waiting > 0) {
    const show = () => document.querySelector<HTMLElement>(".ask[data-open]")?.focus();
    return (
      <button type="button" className="item top-state" title={words.session.waitsShow} onClick={show}>
        <StatusDot status={status} />
      </button>
    );
  }
  return (
    <span className="top-state" title={session.reason ? plainMarked(session.reason) : undefined}>
      <span role="status">
        <StatusDot status={status} />
      </span>
      {session.state === "working" && <Elapsed since={session.since} />}
    </span>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="faint num top-clock">{elapsed(now - since)}</span>;
}

// Stops the turn; stopping the agent itself is in the menu.
function Stop({ session }: { session: event.Session }) {
  const { store, backend } = useKandev();
  if (session.state !== "working" && session.state !== "cancelling") return null;
  const stop = () => {
    backend.cancelTurn(session.id).catch((error) => actions.report(store, sentence(error)));
  };
  return (
    <Button
      icon="stop"
      disabled={session.state === "cancelling"}
      title={words.session.cancelTurn}
      onClick={stop}
    >
      {words.session.stop}
    </Button>
  );
}
