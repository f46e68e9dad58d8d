import { type KeyboardEvent, useRef, useState } from "react";
import type * as t from "../../backend/types";
import { bytes, count } from "../../lib/format";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { ArgumentRow } from "./argument-row";
import { type Arguments, isOpen, rowStep, visibleRows } from "./schema-rows";
import type { Arg, SchemaTree } from "./schema-tree";
import { treeMove } from "./tree-keys";
import { words } from "./words";

export interface ArgumentTreeProps {
  entry: t.Entry;
  known: Arguments;
  agent: string;
  onJson: () => void;
}

/** The arguments of a tool, or why there are none to see. */
export function ArgumentTree({ entry, known, agent, onJson }: ArgumentTreeProps) {
  const { args } = words;
  const said = saidOf(known);
  return (
    <section>
      <h3 className="cap">
        {words.arguments}
        <span className="count">{said}</span>
        {known.state === "shown" && known.tree.root.closed && <span className="cap-note">{args.closed}</span>}
        <span className="grow" />
        {entry.schema_bytes > 0 && (
          <span className="cap-note">{args.schemaSize(bytes(entry.schema_bytes))}</span>
        )}
      </h3>
      {known.state === "shown" ? (
        <Tree tree={known.tree} />
      ) : (
        <Instead known={known} agent={agent} canShow={entry.input_schema !== undefined} onJson={onJson} />
      )}
    </section>
  );
}

// How many arguments have a name; nothing where the schema says only other things.
function saidOf(known: Arguments): string {
  const { args } = words;
  if (known.state === "absent") return args.notStored;
  if (known.state === "invalid") return args.notDrawn;
  if (known.state === "none") return args.count0;
  const named = known.tree.children(known.tree.root).filter((arg) => arg.label.kind === "name").length;
  return named > 0 ? count(named) : "";
}

interface InsteadProps {
  known: Arguments;
  agent: string;
  canShow: boolean;
  onJson: () => void;
}

/** What stands where the tree would be: no arguments, not stored, or no schema at all. */
export function Instead({ known, agent, canShow, onJson }: InsteadProps) {
  const { args } = words;
  if (known.state === "none")
    return (
      <EmptyState icon="check" title={args.none}>
        {known.closed ? args.noneClosed : args.noneOpen} <SafeText text={known.description} lines />
      </EmptyState>
    );
  if (known.state === "absent") {
    const size = bytes(known.bytes);
    const title =
      known.reason === "too_large"
        ? args.tooLarge(size)
        : known.reason === "catalog_full"
          ? args.full(size)
          : args.unstored;
    return (
      <EmptyState icon="file" title={title}>
        {args.keptHint(agent)}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="warn"
      title={args.invalid}
      actions={
        canShow && (
          <Button onClick={onJson}>
            {args.showJson}
            <Kbd keys="R" />
          </Button>
        )
      }
    >
      {args.invalidHint}
    </EmptyState>
  );
}

function Tree({ tree }: { tree: SchemaTree }) {
  const place = useRef<HTMLDivElement>(null);
  const [choice, setChoice] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [most, setMost] = useState(rowStep);
  const [current, setCurrent] = useState("");
  const { rows, more } = visibleRows(tree, choice, most);
  const stop = Math.max(
    0,
    rows.findIndex((row) => row.path === current),
  );
  const openOf = (arg: Arg) => (arg.specs.length > 0 ? isOpen(arg, choice) : undefined);
  const fold = (path: string, open: boolean) => setChoice(new Map(choice).set(path, open));
  // The top has no row of its own where it says nothing.
  const jump = (path: string) => {
    const rowOf = (path = "") => place.current?.querySelector<HTMLElement>(`[data-path="${path}"]`);
    const row = rowOf(path) ?? rowOf(rows[0]?.path);
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
  };
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>(".arg");
    // Enter on a control inside a row is that control's own.
    if (!row || (event.key === "Enter" && event.target !== row)) return;
    const at = rows.findIndex((arg) => arg.path === row.dataset.path);
    const arg = rows[at];
    const move = arg && treeMove(event.key, rows, at, openOf(arg));
    if (!move) return;
    if ("fold" in move) fold(arg.path, move.fold);
    else jump("back" in move ? move.back : (rows[move.to]?.path ?? ""));
    event.preventDefault();
  };
  return (
    <div
      ref={place}
      tabIndex={-1}
      role="tree"
      aria-label={words.arguments}
      className="args"
      onKeyDown={key}
      onFocus={(event) => {
        const row = (event.target as Element).closest<HTMLElement>(".arg");
        if (row) setCurrent(row.dataset.path ?? "");
      }}
    >
      {rows.map((arg, n) => (
        <ArgumentRow
          key={arg.path}
          arg={arg}
          current={n === stop}
          open={openOf(arg)}
          onFold={fold}
          onJump={jump}
        />
      ))}
      {more && (
        <button
          type="button"
          className="link args-more"
          onClick={() => {
            jump(rows.at(-1)?.path ?? ""); // the button may go with the last rows
            setMost(most + rowStep);
          }}
        >
          {words.args.more}
        </button>
      )}
    </div>
  );
}
