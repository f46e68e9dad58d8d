import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Item } from "../../backend/types";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";
import { ItemRow } from "./item-row";
import "./conversation.css";

export interface ConversationProps {
  session: string;
  /** Stands over the first item: the page of the embedded agent. */
  head?: ReactNode;
  renderQuestion: (id: string) => ReactNode;
  renderPermission: (id: string) => ReactNode;
}

const guesses: Record<string, number> = {
  prompt: 60,
  message: 90,
  tool: 28,
  plan: 120,
  question: 260,
  permission: 140,
};

/** How near to the end still counts as at the end, in pixels. */
const nearEnd = 48;

/** The conversation of a session. Must have the session as its key: nothing of one stays for another. */
export function Conversation(props: ConversationProps) {
  const { retry } = useKandev();
  const transcript = useKandevState((state) => state.transcripts[props.session]);
  const error = useKandevState((state) => state.pullErrors[`transcript/${props.session}`]);
  const items = transcript?.items ?? none;
  if (items.length === 0) {
    return (
      <div className="scroll talk">
        <div className="column">
          {props.head}
          {error ? (
            <EmptyState
              shape={{ shape: "failed", tone: "bad" }}
              title={`${words.talk.failed}.`}
              actions={<Button onClick={() => retry(`transcript/${props.session}`)}>{words.retry}</Button>}
            >
              <SafeText text={error} />
            </EmptyState>
          ) : !transcript?.complete ? (
            <Skeleton rows={5} />
          ) : (
            !props.head && <EmptyState title={`${words.talk.empty}.`}>{words.talk.emptyHint}</EmptyState>
          )}
        </div>
      </div>
    );
  }
  return <Items {...props} items={items} />;
}

const none: Item[] = [];

function Items({ items, head, renderQuestion, renderPermission }: ConversationProps & { items: Item[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [atEnd, setAtEnd] = useState(true);
  const follow = useRef(true);
  const extra = head ? 1 : 0;
  const rows = useVirtualizer({
    count: items.length + extra,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => (n < extra ? 500 : (guesses[items[n - extra]?.kind ?? ""] ?? 40)),
    getItemKey: (n) => (n < extra ? "head" : (items[n - extra]?.number ?? n)),
    overscan: 6,
    paddingStart: 16,
    paddingEnd: 24,
  });
  const size = rows.getTotalSize();
  // The end stays in view while it grows, until the person scrolls up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every growth counts.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && follow.current) box.scrollTop = box.scrollHeight;
  }, [size, items]);
  const scrolled = () => {
    const box = scroller.current;
    if (!box) return;
    follow.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    setAtEnd(follow.current);
  };
  const toggle = useCallback((number: number) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }, []);
  const toEnd = () => {
    follow.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  return (
    <div className="talk-wrap">
      <div
        className="scroll talk"
        ref={scroller}
        onScroll={scrolled}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        role="log"
        aria-label={words.talk.name}
        aria-live="off"
      >
        <div className="rows" style={{ height: size }}>
          {rows.getVirtualItems().map((row) => {
            const item = items[row.index - extra];
            return (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className="talk-row"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {item ? (
                  <ItemRow
                    item={item}
                    toggled={toggled.has(item.number)}
                    onToggle={toggle}
                    renderQuestion={renderQuestion}
                    renderPermission={renderPermission}
                  />
                ) : (
                  head
                )}
              </div>
            );
          })}
        </div>
      </div>
      {!atEnd && (
        <button type="button" className="btn btn-small to-end" onClick={toEnd}>
          <Icon name="arrowDown" />
          {words.talk.toEnd}
        </button>
      )}
    </div>
  );
}
