import { type ReactNode, useMemo } from "react";
import type { Diff, ToolCall } from "../../backend/types";
import { diff } from "../../lib/diff";
import { count, duration } from "../../lib/format";
import { isOurs } from "../../lib/tool-name";
import { Icon, type IconName } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import type { Status } from "../../ui/status-dot";
import { StatusDot } from "../../ui/status-dot";
import { ToolLabel } from "../../ui/tool-label";
import { words } from "../../words";
import { DiffView } from "./diff-view";
import { Block } from "./fold";
import { unfenced } from "./markdown-text";
import { TerminalView, terminalStatus } from "./terminal-view";

const icons: Record<string, IconName> = {
  read: "eye",
  edit: "pencil",
  delete: "x",
  move: "swap",
  search: "search",
  execute: "term",
  think: "info",
  fetch: "globe",
};

const states: Record<string, Status> = {
  pending: { shape: "starting", tone: "idle", word: words.call.pending ?? "" },
  in_progress: { shape: "working", tone: "ok", word: words.call.in_progress ?? "" },
  completed: { shape: "done", tone: "idle", word: words.call.completed ?? "" },
  failed: { shape: "failed", tone: "bad", word: words.call.failed ?? "" },
  cancelled: { shape: "stopped", tone: "idle", word: words.call.cancelled ?? "" },
};

export interface ToolRowProps {
  call: ToolCall;
  cut: boolean;
  open: boolean;
  onToggle: () => void;
}

/** One tool call as the agent showed it: what, with what, how it stands; input and output on demand. */
export function ToolRow({ call, cut, open, onToggle }: ToolRowProps) {
  const name = call.name || call.title;
  const ours = isOurs(name);
  const kind = call.kind ?? "other";
  const changes = useMemo(
    () => (call.diffs ?? []).map((d) => ({ file: d, result: diff(d.old, d.new) })),
    [call.diffs],
  );
  const status = statusOf(call);
  return (
    <div className="call">
      <button type="button" className="call-head" aria-expanded={open} onClick={onToggle}>
        <Icon name={ours ? "plug" : (icons[kind] ?? "cube")} />
        <span className="call-verb">{ours ? "kandev" : (words.verbs[kind] ?? words.verbs.other)}</span>
        <span className="cut">
          <Subject call={call} ours={ours} name={name} />
        </span>
        <span className="call-end num">
          <Changes results={changes.map((change) => change.result)} />
          <StatusDot status={status} />
          {call.finished ? <span>{duration(call.finished - call.started)}</span> : null}
        </span>
      </button>
      {open && <Body call={call} cut={cut} changes={changes} />}
    </div>
  );
}

// A finished call that ran one command stands as the command does: its exit code says more than "done".
function statusOf(call: ToolCall): Status {
  const terminals = call.terminals ?? [];
  if (call.status === "completed" && terminals.length === 1 && terminals[0]?.command)
    return terminalStatus(terminals[0]);
  return states[call.status] ?? { shape: "unknown", tone: "idle", word: call.status };
}

function Subject({ call, ours, name }: { call: ToolCall; ours: boolean; name: string }) {
  if (ours) return <ToolLabel name={name} />;
  const path = call.paths?.[0];
  const byPath = path !== undefined && ["read", "edit", "delete", "move"].includes(call.kind ?? "");
  return (
    <span className="mono">
      <SafeText text={byPath ? path : call.title || name} />
    </span>
  );
}

function Changes({ results }: { results: { added: number; removed: number }[] }) {
  if (results.length === 0) return null;
  const sum = (pick: (r: { added: number; removed: number }) => number) =>
    results.reduce((n, r) => n + pick(r), 0);
  return (
    <span>
      <span className="plus">+{count(sum((r) => r.added))}</span>{" "}
      <span className="minus">−{count(sum((r) => r.removed))}</span>
    </span>
  );
}

interface Change {
  file: Diff;
  result: ReturnType<typeof diff>;
}

function Body({ call, cut, changes }: { call: ToolCall; cut: boolean; changes: Change[] }) {
  const parts: ReactNode[] = [];
  if (call.input) parts.push(<Block key="in" head={words.talk.input} text={pretty(call.input)} />);
  for (const [n, change] of changes.entries())
    parts.push(
      <DiffView
        key={`d${n}`}
        path={change.file.path}
        created={change.file.old === undefined}
        result={change.result}
      />,
    );
  for (const [n, terminal] of (call.terminals ?? []).entries())
    parts.push(<TerminalView key={`t${n}`} terminal={terminal} />);
  if (call.output) parts.push(<Block key="out" head={words.talk.output} text={unfenced(call.output)} />);
  if (parts.length === 0)
    parts.push(
      <p key="none" className="faint small">
        {words.talk.noDetails}
      </p>,
    );
  return (
    <div className="call-body">
      {parts}
      {cut && <p className="faint small">{words.talk.cut}</p>}
    </div>
  );
}

// JSON in a readable form; what is no JSON, or holds numbers that would change, as it came.
function pretty(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const text = JSON.stringify(value, null, 2);
    return JSON.stringify(value).length === json.replace(/\s/g, "").length || !/\d{16,}|\de\d/i.test(json)
      ? text
      : json;
  } catch {
    return json;
  }
}
