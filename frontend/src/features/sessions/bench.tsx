import { useMemo, useState } from "react";
import type { Entry, event } from "../../backend/types";
import { plural, tokenFigure, tokens } from "../../lib/format";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Icon } from "../../ui/icon";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { isLive } from "../../ui/status";
import { ToolLabel } from "../../ui/tool-label";
import { words } from "../../words";
import { BenchForm } from "./bench-form";
import "./bench.css";

/** The page over a session of the embedded agent: what it is, real agents, the served tools by hand. */
export function Bench({ session }: { session: event.Session }) {
  const sample = useKandevState((state) => state.projects[session.project]?.sample ?? false);
  return (
    <div className="first">
      <h2 className="first-title">{words.bench.title}</h2>
      <p className="soft first-lead">{sample ? words.bench.lead : words.bench.leadOther}</p>
      <Found />
      <Served session={session} />
    </div>
  );
}

// One line: how a real agent is started and which were found.
function Found() {
  const agents = useKandevState((state) => state.agents);
  const found = (agents ?? []).filter((agent) => agent.installed && !agent.embedded);
  return (
    <div className="first-agents">
      <Icon name="term" />
      <p>
        {words.bench.press} <Kbd keys="N" /> {words.bench.startReal}{" "}
        {/* The line keeps its place while the login shell is asked. */}
        {agents && (found.length === 0 ? words.bench.foundNone : words.bench.found)}{" "}
        {found.map((agent, n) => (
          <span key={agent.id}>
            <b>
              <SafeText text={agent.name} />
            </b>
            {agent.version ? ` ${agent.version}` : ""}
            {n < found.length - 1 ? ", " : "."}
          </span>
        ))}
      </p>
    </div>
  );
}

function Served({ session: { id: session, state: now } }: { session: event.Session }) {
  const { store, retry } = useKandev();
  const loaded = useKandevState((state) => session in state.loadedAttachments);
  const catalog = useKandevState((state) => state.loadedAttachments[session]?.catalog);
  const error = useKandevState((state) => state.pullErrors[`attachment/${session}`]);
  if (!catalog) {
    if (!error && !loaded) return <Skeleton rows={5} />;
    if (!error)
      return (
        <p className="faint bench-wait">{isLive({ state: now }) ? words.bench.waiting : words.bench.never}</p>
      );
    return (
      <EmptyState
        shape={{ shape: "failed", tone: "bad" }}
        title={`${words.bench.failed}.`}
        actions={<Button onClick={() => retry(`attachment/${session}`)}>{words.retry}</Button>}
      >
        <SafeText text={error} />
      </EmptyState>
    );
  }
  return (
    <section aria-label={words.bench.tools}>
      <div className="call-head is-still">
        <Icon name="plug" />
        <span>kandev</span>
        <span>{words.bench.served(plural(catalog.total, "tool"))}</span>
        <span className="call-end num">
          <span>{tokens(catalog.tokens_total)}</span>
          <button type="button" className="link" onClick={() => actions.setExplorer(store, true)}>
            {words.bench.open}
          </button>
        </span>
      </div>
      {catalog.entries.length > 0 && (
        <div className="call-body">
          <Table session={session} entries={catalog.entries} />
        </div>
      )}
    </section>
  );
}

function Table({ session, entries }: { session: string; entries: Entry[] }) {
  const [picked, setPicked] = useState("");
  const chosen = useMemo(
    () =>
      entries.find((e) => e.served === picked) ??
      entries.find((e) => /^list_tasks/.test(e.served)) ??
      entries[0],
    [entries, picked],
  );
  return (
    <div className="bench">
      <div className="bench-list scroll">
        {entries.map((entry) => (
          <button
            key={entry.served}
            type="button"
            className="item"
            aria-current={entry === chosen || undefined}
            onClick={() => setPicked(entry.served)}
          >
            <span className="cut">
              <ToolLabel name={entry.served} original={entry.original} />
            </span>
            <span className="end faint small num">{tokenFigure(entry.estimate)}</span>
          </button>
        ))}
      </div>
      {chosen && <BenchForm key={chosen.served} session={session} entry={chosen} />}
    </div>
  );
}
