import { memo, type ReactNode } from "react";
import type { Item, PlanEntry } from "../../backend/types";
import { clock, count, duration } from "../../lib/format";
import { useKandevState } from "../../state/use";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { words } from "../../words";
import { Block, Fold } from "./fold";
import { Markdown } from "./markdown";
import { ToolRow } from "./tool-row";

export interface ItemRowProps {
  item: Item;
  /** The person opened what is folded, or closed what is open. */
  toggled: boolean;
  onToggle: (number: number) => void;
  /** The agent has no model: what a call answered is what the person waits for. */
  embedded: boolean;
  renderQuestion: (id: string) => ReactNode;
  renderPermission: (id: string) => ReactNode;
}

/** One row of a conversation. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, toggled } = props;
  const toggle = () => props.onToggle(item.number);
  const text = item.text ?? "";
  switch (item.kind) {
    case "prompt":
      return <Prompt text={text} at={item.at} cut={item.cut} waits={item.ref === waiting} />;
    case "message":
      return (
        <div className="said">
          <Markdown text={text} />
          {item.cut && <p className="faint small">{words.talk.cut}</p>}
        </div>
      );
    case "preamble":
      return (
        <Fold head={words.talk.preamble} open={toggled} onToggle={toggle}>
          <p className="pre">
            <SafeText text={text} lines />
          </p>
        </Fold>
      );
    case "thought":
      return (
        <Fold head={thoughtHead(item)} open={toggled} onToggle={toggle}>
          <Markdown text={text} />
        </Fold>
      );
    case "tool":
      if (!item.tool) return null;
      return (
        <ToolRow
          call={item.tool}
          cut={item.cut ?? false}
          open={toggled !== opensItself(item, props.embedded)}
          onToggle={toggle}
        />
      );
    case "plan":
      return <Plan entries={item.plan ?? []} />;
    case "notice":
      return (
        <div className="call-head is-still">
          <Icon name="info" />
          <span className="wrap">
            <SafeText text={text} lines />
          </span>
        </div>
      );
    case "question":
      return props.renderQuestion(item.ref ?? "");
    case "permission":
      return props.renderPermission(item.ref ?? "");
    default:
      return (
        <Fold head={words.talk.unknown} open={toggled} onToggle={toggle}>
          <Block head={item.kind} text={item.raw || text} />
        </Fold>
      );
  }
});

// A small change of a file is worth seeing at once, so is what a command prints, and so is the answer
// to a call by hand; not its progress, which would push the question that it waits for out of sight.
function opensItself(item: Item, embedded: boolean): boolean {
  const output = item.tool?.finished ? (item.tool.output ?? "") : "";
  if (embedded && output !== "" && output.length < 4000) return true;
  if (item.tool?.terminals?.length) return true;
  const diffs = item.tool?.diffs ?? [];
  const size = diffs.reduce((n, d) => n + d.new.length + (d.old?.length ?? 0), 0);
  return diffs.length > 0 && size < 4000;
}

function thoughtHead(item: Item): string {
  const ms = item.updated_at - item.at;
  return ms >= 1000 ? words.talk.thoughtFor(duration(ms)) : words.talk.thought;
}

// What the app refers a prompt to that no agent was sent yet.
const waiting = "waiting";

// It says what the prompt waits for: the start that goes on, or the next one.
function Waits() {
  const starting = useKandevState((state) => state.sessions[state.session]?.state === "starting");
  return <p className="faint small">{starting ? words.talk.waitsStart : words.talk.waits}</p>;
}

function Prompt({ text, at, cut, waits }: { text: string; at: number; cut?: boolean; waits: boolean }) {
  return (
    <article className="you">
      <div className="you-text" dir="auto">
        <SafeText text={text} lines />
        {cut && <p className="faint small">{words.talk.cut}</p>}
        {waits && <Waits />}
      </div>
      <time className="you-time faint tiny num">{clock(at)}</time>
    </article>
  );
}

function Plan({ entries }: { entries: PlanEntry[] }) {
  const done = entries.filter((entry) => entry.status === "completed").length;
  return (
    <section className="call plan" aria-label={words.talk.plan}>
      <div className="call-head is-still">
        <Icon name="list" />
        <span>{words.talk.plan}</span>
        <span className="faint small num">{words.talk.planOf(count(done), count(entries.length))}</span>
      </div>
      <ul className="call-body">
        {entries.map((entry, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a plan is replaced as a whole.
          <li key={n} className="row" data-done={entry.status === "completed" || undefined}>
            <PlanShape status={entry.status} />
            <span className="wrap">
              <SafeText text={entry.content} lines />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlanShape({ status }: { status: string }) {
  const word = { completed: "done", in_progress: "in progress" }[status] ?? "open";
  return (
    <>
      <StatusShape
        shape={status === "completed" ? "done" : status === "in_progress" ? "working" : "ready"}
        tone={status === "in_progress" ? "ok" : "idle"}
      />
      <span className="sr">{word}</span>
    </>
  );
}
