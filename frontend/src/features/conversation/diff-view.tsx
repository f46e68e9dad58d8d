import { useState } from "react";
import type { DiffResult, DiffRow } from "../../lib/diff";
import { count } from "../../lib/format";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";

/** Rows shown at first; a large change must not stop the window. */
const firstRows = 200;

export interface DiffViewProps {
  path: string;
  created: boolean;
  result: DiffResult;
}

const marks = { add: "+", del: "−", same: "", gap: "" };

/** One file change by lines, + and − beside the colour. */
export function DiffView({ path, created, result }: DiffViewProps) {
  const [limit, setLimit] = useState(firstRows);
  const rows = result.rows.slice(0, limit);
  const rest = result.rows.length - rows.length;
  return (
    <figure className="code">
      <figcaption className="code-head">
        <span className="cut mono">
          <SafeText text={path} />
        </span>
        {created && <span className="tag">{words.talk.newFile}</span>}
      </figcaption>
      <div className="diff" dir="ltr">
        {rows.map((row, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a finished difference never move.
          <Row key={n} row={row} />
        ))}
      </div>
      {rest > 0 && (
        <button type="button" className="link diff-more" onClick={() => setLimit(limit + 1000)}>
          {words.talk.moreLines(count(rest))}
        </button>
      )}
    </figure>
  );
}

function Row({ row }: { row: DiffRow }) {
  return (
    <div className={row.kind}>
      <span>{row.old}</span>
      <span>{row.new}</span>
      <span>{marks[row.kind]}</span>
      <span>
        <SafeText text={row.text} lines />
      </span>
    </div>
  );
}
