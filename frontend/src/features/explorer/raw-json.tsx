import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { formatJson, type Line, widest } from "../../lib/json-format";
import { useBackend } from "../../state/use";
import { Button, IconButton } from "../../ui/button";
import { SafeText } from "../../ui/safetext";
import { Instead } from "./argument-tree";
import { fileName, toolText } from "./copy";
import { copyText, saveText, useSaid } from "./copy-menu";
import type { Arguments } from "./schema-rows";
import { words } from "./words";

/** Indents grow by this many characters, to this depth; below it they stay. */
const step = 2;
const deepest = 200;
const lineHeight = 18;

export interface RawJsonProps {
  entry: t.Entry;
  known: Arguments;
  agent: string;
  served: boolean;
  onServed: (served: boolean) => void;
}

/** The stored input schema as text: indented by its tokens, or in one piece as it was served. */
export function RawJson({ entry, known, agent, served, onServed }: RawJsonProps) {
  const backend = useBackend();
  const [said, run] = useSaid();
  const text = entry.input_schema;
  const lines = useMemo(() => (text && !served ? formatJson(text) : null), [text, served]);
  const { raw } = words;
  const form = (on: boolean, label: string) => (
    <button type="button" aria-pressed={served === on} onClick={() => onServed(on)}>
      {label}
    </button>
  );
  return (
    <div className="ex-fill">
      <div className="raw-bar">
        <fieldset className="seg" aria-label={raw.form}>
          {form(false, raw.indented)}
          {form(true, raw.served)}
        </fieldset>
        <span className="faint small num cut">
          {text !== undefined && raw.size(count(entry.schema_bytes))}
        </span>
        <span className="grow faint small cut" role="status" title={plainMarked(said)}>
          {plainMarked(said)}
        </span>
        {text !== undefined && (
          <Button kind="quiet" small icon="copy" onClick={() => run(() => copyText(text))}>
            {raw.copySchema}
          </Button>
        )}
        <Button
          kind="quiet"
          small
          icon="copy"
          title={raw.copyToolLong}
          onClick={() => run(() => copyText(toolText(entry)))}
        >
          {raw.copyTool}
        </Button>
        <IconButton
          small
          icon="export"
          label={raw.exportTool}
          onClick={() => run(() => saveText(backend, fileName(entry.served), `${toolText(entry)}\n`))}
        />
      </div>
      {text === undefined ? (
        <Instead known={known} agent={agent} canShow={false} onJson={() => {}} />
      ) : lines ? (
        <Lines lines={lines} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keys.
        <section className="raw scroll is-served" tabIndex={0} aria-label={raw.label}>
          {!served && <p className="raw-note">{raw.notJson}</p>}
          <pre>
            <SafeText text={text} />
          </pre>
        </section>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: Line[] }) {
  const place = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => lineHeight,
    overscan: 30,
    initialRect: { width: 800, height: 600 },
  });
  const width = useMemo(() => widest(lines, step), [lines]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keys.
    <section className="raw" ref={place} tabIndex={0} aria-label={words.raw.label}>
      <div className="raw-lines" style={{ height: rows.getTotalSize(), minWidth: `calc(${width}ch + 80px)` }}>
        {rows.getVirtualItems().map((item) => {
          const line = lines[item.index] as Line;
          return (
            <div className="raw-line" key={item.key} style={{ transform: `translateY(${item.start}px)` }}>
              <span className="ln">{count(item.index + 1)}</span>
              {" ".repeat(Math.min(line.indent, deepest) * step)}
              {line.parts.map((part, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never move.
                <span className={`raw-${part.kind}`} key={n}>
                  <SafeText text={part.text} />
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </section>
  );
}
