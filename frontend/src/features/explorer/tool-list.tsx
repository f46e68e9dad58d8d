import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { queryWords } from "./list";
import { ToolRow } from "./tool-row";
import type { ToolsProps } from "./tools";
import { ToolsFoot } from "./tools-foot";
import { useAnchor } from "./use-anchor";
import { useRowFocus } from "./use-row-focus";
import { words } from "./words";

/** As --h-row and --h-head say. */
const rowHeight = 28;
const headHeight = 24;

/** The rows of the tools: virtual, one of them in the tab order, moved through with the arrows. */
export function ToolList({ catalog, model, server, listing, view, change, onHold }: ToolsProps) {
  const place = useRef<HTMLDivElement>(null);
  const { hits, index } = listing;
  const keys = useMemo(() => hits.map((hit) => hit.key), [hits]);
  const { at, focusRow, onFocus, onBlur } = useRowFocus(place, keys, view.active);
  const wanted = useMemo(() => queryWords(view.query), [view.query]);
  const largest = useMemo(() => Math.max(1, ...hits.map((hit) => hit.entry.estimate ?? 0)), [hits]);
  const rows = useVirtualizer({
    count: hits.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    getItemKey: (n) => keys[n] ?? n,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 5,
    initialRect: { width: 800, height: 560 },
    initialOffset: view.scroll,
    // The row of the tab order is always there, so that focus is never lost to scrolling.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), at])].sort((a, b) => a - b),
  });
  const anchor = useAnchor(place, keys, rowHeight);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list comes back.
  useLayoutEffect(() => {
    const list = place.current;
    if (!list) return;
    list.scrollTop = view.scroll;
    // On a tool's page another tool may have been chosen: its row is in sight as well.
    const top = at * rowHeight;
    list.scrollTop = Math.min(
      top,
      Math.max(list.scrollTop, headHeight + top + rowHeight - list.clientHeight),
    );
  }, []);
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const page = Math.max(1, Math.floor((place.current?.clientHeight ?? 0) / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const to = { ...steps, Home: 0, End: hits.length - 1 }[event.key];
    if (to === undefined) return;
    const next = Math.max(0, Math.min(hits.length - 1, to));
    focusRow();
    rows.scrollToIndex(next, { align: "auto" });
    change({ active: keys[next] ?? "" });
    event.preventDefault();
  };
  const open = useCallback(
    (key: string) => change({ tool: key, active: key, scroll: place.current?.scrollTop ?? 0 }),
    [change],
  );
  return (
    <div
      className="scroll tools-list"
      ref={place}
      onPointerMove={(event) => {
        if (anchor.point(event)) onHold(keys);
      }}
      onPointerLeave={() => {
        anchor.leave();
        onHold(null);
      }}
    >
      <div className="tool-head" aria-hidden="true">
        <span data-sort={view.sort === "name" ? "up" : undefined}>{words.column.name}</span>
        <span className="tool-desc">{words.column.description}</span>
        <span />
        <span className="end" data-sort={view.sort === "calls" ? "down" : undefined}>
          {words.column.calls}
        </span>
        <span className="end" data-sort={view.sort === "tokens" ? "down" : undefined}>
          {words.column.tokens}
        </span>
        <span className="tool-bar-h" />
      </div>
      <div
        role="listbox"
        tabIndex={-1}
        aria-label={words.tools}
        onKeyDown={move}
        onFocus={onFocus}
        onBlur={onBlur}
        className="tool-rows"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map((item) => {
          const hit = hits[item.index];
          if (!hit) return null;
          return (
            <ToolRow
              key={item.key}
              hit={hit}
              top={item.start - headHeight}
              place={item.index + 1}
              of={hits.length}
              current={item.index === at}
              calls={index.calls(hit.entry)}
              warnings={index.markCount(hit.entry)}
              counting={server.counting}
              share={(hit.entry.estimate ?? 0) / largest}
              wanted={wanted}
              onOpen={open}
            />
          );
        })}
      </div>
      <ToolsFoot
        catalog={catalog}
        uses={model.loaded?.uses ?? []}
        otherCalls={model.loaded?.other_calls ?? 0}
        earlier={model.earlier.length > 0}
      />
    </div>
  );
}
