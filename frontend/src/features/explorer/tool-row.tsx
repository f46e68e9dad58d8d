import { memo } from "react";
import { count, tokenFigure } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { toolName } from "../../lib/tool-name";
import { Icon } from "../../ui/icon";
import { isPartial } from "./copy";
import { type Hit, marked } from "./list";
import { Marked } from "./marked";
import { words } from "./words";

export interface ToolRowProps {
  hit: Hit;
  /** Its distance from the first row, in pixels. */
  top: number;
  /** Its number and how many there are, for screen readers. */
  place: number;
  of: number;
  current: boolean;
  calls: number;
  warnings: number;
  counting: boolean;
  /** Its estimate as a part of the largest one, 0 to 1. */
  share: number;
  wanted: readonly string[];
  onOpen: (key: string) => void;
}

/** One tool in one line of 28 px: name, description, calls, warning, estimate with its bar. */
export const ToolRow = memo(function ToolRow(props: ToolRowProps) {
  const { hit, top, place, of, current, calls, warnings, counting, share, wanted, onOpen } = props;
  const { entry } = hit;
  const { before, own, after } = toolName(entry.served, entry.original);
  const mark = words.marks[entry.mark ?? ""] ?? "";
  return (
    <button
      type="button"
      role="option"
      className="tool"
      tabIndex={current ? 0 : -1}
      aria-selected={current}
      aria-posinset={place}
      aria-setsize={of}
      data-key={hit.key}
      title={plainMarked(entry.served)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(hit.key)}
    >
      <span className="tool-name mono">
        {before && (
          <i>
            <Marked parts={marked(before, wanted)} />
          </i>
        )}
        <span>
          <Marked parts={marked(own, wanted)} />
        </span>
        {after && (
          <i>
            <Marked parts={marked(after, wanted)} />
          </i>
        )}
        {mark && <span className="tag">{mark}</span>}
        {isPartial(entry) && <span className="tag">{words.cut}</span>}
      </span>
      <span className="tool-desc cut">
        <Why hit={hit} wanted={wanted} />
      </span>
      <span className="tool-mark">
        {warnings > 0 && (
          <span className="warn-mark" title={words.warningCount(count(warnings))}>
            <Icon name="warn" />
            <span className="sr">{words.warningCount(count(warnings))}</span>
          </span>
        )}
      </span>
      <span className="tool-calls num">
        {calls > 0 && (
          <>
            {count(calls)}
            <span className="x" aria-hidden="true">
              ×
            </span>
            <span className="sr">{words.callWord}</span>
          </>
        )}
      </span>
      <span className="tool-tokens num" title={counting ? words.figures.counting : undefined}>
        {entry.estimate === undefined && counting ? "…" : tokenFigure(entry.estimate)}
        {entry.estimate !== undefined && <span className="sr">{words.tokenWord}</span>}
      </span>
      <span className="tool-bar meter" aria-hidden="true">
        {entry.estimate !== undefined && <i style={{ width: `${Math.max(3, 100 * share)}%` }} />}
      </span>
    </button>
  );
});

// The first line of the description, or what of the tool was found when that is not in sight.
function Why({ hit, wanted }: { hit: Hit; wanted: readonly string[] }) {
  if (hit.argument !== undefined)
    return (
      <>
        {words.argument} <Marked parts={marked(hit.argument, wanted)} />
      </>
    );
  // A cut must not leave half of a character.
  const text = (hit.description ?? hit.entry.description)
    .slice(0, 160)
    .replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
    .trim();
  if (hit.description !== undefined)
    return (
      <>
        {words.inDescription} <Marked parts={marked(text, wanted)} />
      </>
    );
  return <Marked parts={marked(text.split("\n")[0] ?? "", wanted)} />;
}
