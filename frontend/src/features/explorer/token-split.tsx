import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { words } from "./words";

/** The parts of an estimate in the order of their greys; what is left over is the rest. */
export function splitOf(entry: t.Entry): { name: string; tokens: number }[] {
  const { estimate, parts } = entry;
  if (estimate === undefined || !parts) return [];
  const { split } = words;
  const rest = estimate - parts.name - parts.description - parts.input_schema;
  return [
    { name: split.name, tokens: parts.name },
    { name: split.description, tokens: parts.description },
    { name: split.schema, tokens: parts.input_schema },
    { name: split.rest, tokens: Math.max(0, rest) },
  ];
}

// Something is never written as nothing.
function wholePercent(part: number, total: number): string {
  const percent = Math.round((100 * part) / total);
  return percent === 0 && part > 0 ? "< 1" : count(percent);
}

/** How the estimate of a tool divides, as stored. */
export function TokenSplit({ entry, counting }: { entry: t.Entry; counting: boolean }) {
  const parts = splitOf(entry);
  const { split } = words;
  if (parts.length === 0) {
    if (entry.estimate !== undefined) return null;
    return <p className="faint small">{counting ? split.counting : split.none}</p>;
  }
  const total = Math.max(1, entry.estimate ?? 0);
  return (
    <>
      <div
        className="split"
        role="img"
        aria-label={split.label(parts.map((part) => `${part.name} ${count(part.tokens)}`).join(", "))}
      >
        {parts.map((part, n) => (
          <i className={`split-${n + 1}`} key={part.name} style={{ flexGrow: part.tokens }} />
        ))}
      </div>
      <dl className="split-list num">
        {parts.map((part, n) => (
          <div className="split-row" key={part.name}>
            <dt>
              <i className={`split-${n + 1}`} />
              {part.name}
            </dt>
            <dd>{count(part.tokens)}</dd>
            <dd className="faint">{split.percent(wholePercent(part.tokens, total))}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
