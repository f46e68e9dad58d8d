import { useMemo, useState } from "react";
import { count } from "../../lib/format";
import * as actions from "../../state/actions";
import { rail, rests, type StepGroup, waiting } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Button, IconButton } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Icon } from "../../ui/icon";
import { Kbd } from "../../ui/kbd";
import { StatusShape } from "../../ui/shape";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";
import { ProjectMenu } from "./project-menu";
import { TaskRows } from "./task-rows";
import "./rail.css";

/** The left rail: project, new session, tasks by step with their sessions, settings and keys. */
export function Rail() {
  const { store } = useKandev();
  const link = useKandevState((state) => state.link);
  const tasks = useKandevState((state) => state.tasks);
  const sessions = useKandevState((state) => state.sessions);
  const project = useKandevState((state) => state.project);
  const groups = useMemo(() => rail(tasks, sessions, project), [tasks, sessions, project]);
  const booted = useKandevState((state) => state.epoch !== "");
  return (
    <nav className="rail" aria-label={words.rail.name}>
      <div className="rail-head">
        <ProjectMenu />
        <IconButton
          icon="search"
          label={words.rail.search}
          keys={<Kbd keys="Mod+K" />}
          onClick={() => actions.openDialog(store, "palette")}
        />
      </div>
      <div className="rail-new">
        <Button icon="plus" disabled={!booted} onClick={() => actions.openDialog(store, "new-session")}>
          {words.rail.newSession}
          <span className="grow" />
          <Kbd keys="N" />
        </Button>
      </div>
      <div className="scroll rail-list">
        <Waiting />
        {groups.map((group) => (
          <Step key={group.step} group={group} />
        ))}
        {booted && groups.length === 0 && <RailEmpty project={project} />}
        {link === "loading" && <Skeleton rows={7} />}
      </div>
      <RailFoot />
    </nav>
  );
}

function RailEmpty({ project }: { project: string }) {
  if (project === "") return <EmptyState title={words.rail.noProject}>{words.rail.noProjectHint}</EmptyState>;
  return <EmptyState title={words.rail.empty}>{words.rail.emptyHint}</EmptyState>;
}

// Sessions of other projects that wait: a click goes to the first of them.
function Waiting() {
  const { store } = useKandev();
  const sessions = useKandevState((state) => state.sessions);
  const project = useKandevState((state) => state.project);
  const others = useMemo(() => waiting(sessions).filter((s) => s.project !== project), [sessions, project]);
  const first = others[0];
  if (!first) return null;
  return (
    <button type="button" className="item rail-waits" onClick={() => actions.openSession(store, first.id)}>
      <StatusShape shape="waiting" tone="warn" />
      <span className="cut">
        {others.length === 1 ? words.rail.waitsOne : words.rail.waits(count(others.length))}
      </span>
    </button>
  );
}

function Step({ group }: { group: StepGroup }) {
  const name = words.steps[group.step];
  if (rests(group.step)) return <FoldedStep group={group} />;
  return (
    <section className="step" aria-label={name}>
      <h2 className="group">
        {name}
        <span className="count">{count(group.rows.length)}</span>
      </h2>
      {group.rows.map((row) => (
        <TaskRows key={row.task.id} row={row} />
      ))}
    </section>
  );
}

// Tasks that rest come last and are folded, unless the session on screen is one of theirs.
function FoldedStep({ group }: { group: StepGroup }) {
  const current = useKandevState((state) => state.session);
  const holds = group.rows.some((row) => row.sessions.some((session) => session.id === current));
  const [wanted, setWanted] = useState(false);
  const open = wanted || holds;
  return (
    <section className="step is-folded" aria-label={words.steps[group.step]}>
      <button
        type="button"
        className="group group-fold"
        aria-expanded={open}
        onClick={() => setWanted(!open)}
      >
        <Icon name={open ? "down" : "right"} />
        {words.steps[group.step]}
        <span className="count">{count(group.rows.length)}</span>
      </button>
      {open && group.rows.map((row) => <TaskRows key={row.task.id} row={row} />)}
    </section>
  );
}

function RailFoot() {
  const { store } = useKandev();
  const plugins = useKandevState((state) => state.page === "plugins");
  return (
    <div className="rail-foot">
      <button
        type="button"
        className="item"
        aria-current={plugins || undefined}
        onClick={() => actions.openPlugins(store)}
      >
        <Icon name="cube" />
        <span className="cut">{words.rail.plugins}</span>
      </button>
      <button type="button" className="item" onClick={() => actions.openDialog(store, "settings")}>
        <Icon name="sliders" />
        <span className="cut">{words.rail.settings}</span>
      </button>
      <button type="button" className="item" onClick={() => actions.openDialog(store, "keys")}>
        <Icon name="help" />
        <span className="cut">{words.rail.keys}</span>
        <span className="end">
          <Kbd keys="?" />
        </span>
      </button>
    </div>
  );
}
