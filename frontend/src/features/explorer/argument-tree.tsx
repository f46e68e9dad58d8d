import { type KeyboardEvent, useRef, useState } from "react";
import type * as t from "../../backend/types";
import { bytes, count } from "../../lib/format";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Kbd } from "../../ui/kbd";
import { ArgumentRow } from "./argument-row";
import { type Arguments, isOpen, rowStep, visibleRows } from "./schema-rows";
import type { SchemaTree } from "./schema-tree";
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
        {known.closed ? args.noneClosed : args.noneOpen}
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
  const { rows, more } = visibleRows(tree, choice, most);
  const fold = (path: string, open: boolean) => setChoice(new Map(choice).set(path, open));
  const jump = (path: string) => {
    const row = place.current?.querySelector<HTMLElement>(`[data-path="${path}"]`) ?? place.current;
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const all = [...(place.current?.querySelectorAll<HTMLElement>(".arg") ?? [])];
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || !next) return;
    next.focus();
    event.preventDefault();
  };
  return (
    <div ref={place} tabIndex={-1} role="tree" aria-label={words.arguments} className="args" onKeyDown={move}>
      {rows.map((arg, n) => (
        <ArgumentRow
          key={arg.path}
          arg={arg}
          first={n === 0}
          open={arg.specs.length > 0 ? isOpen(arg, choice) : undefined}
          onFold={fold}
          onJump={jump}
        />
      ))}
      {more && (
        <button type="button" className="link args-more" onClick={() => setMost(most + rowStep)}>
          {words.args.more}
        </button>
      )}
    </div>
  );
}
