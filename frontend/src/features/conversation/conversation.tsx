import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import type { event, Item } from "../../backend/types";
import { takesAnswer } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { isLive } from "../../ui/status";
import { words } from "../../words";
import { useFollow, useKeepEnd } from "./follow";
import { ItemRow } from "./item-row";
import "./conversation.css";

export interface ConversationProps {
  session: string;
  /** The agent has no model: a person calls the tools. */
  embedded: boolean;
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

/** The conversation of a session. Must have the session as its key: nothing of one stays for another. */
export function Conversation(props: ConversationProps) {
  const { retry } = useKandev();
  const transcript = useKandevState((state) => state.transcripts[props.session]);
  const error = useKandevState((state) => state.pullErrors[`transcript/${props.session}`]);
  const ended = useKandevState((state) => {
    const row = state.sessions[props.session];
    return row && !isLive(row) ? (row.reason ?? "") : null;
  });
  const all = transcript?.items ?? none;
  const items = useMemo(() => withoutReason(all, ended ?? ""), [all, ended]);
  // A long one comes in pages, the oldest first: it is drawn once the newest is there.
  if (items.length === 0 || (!transcript?.complete && !error)) {
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
            !props.head && <Nothing ended={ended !== null} />
          )}
        </div>
      </div>
    );
  }
  return <Items {...props} items={items} />;
}

function Nothing({ ended }: { ended: boolean }) {
  if (ended) return <EmptyState title={`${words.talk.emptyEnded}.`} />;
  return <EmptyState title={`${words.talk.empty}.`}>{words.talk.emptyHint}</EmptyState>;
}

const none: Item[] = [];

/** The items without the notice of why the agent ended: the composer says that while no agent runs. */
export function withoutReason(items: Item[], reason: string): Item[] {
  for (let n = items.length - 1; n >= 0 && items[n]?.kind === "notice"; n--)
    if (reason !== "" && items[n]?.text === reason) return items.toSpliced(n, 1);
  return items;
}

// Rows that stay while they are out of sight: the page of the embedded agent and what waits for an
// answer hold what the person has typed.
function usePinned(session: string, items: Item[], extra: number): number[] {
  const questions = useKandevState((state) => state.questions);
  const permissions = useKandevState((state) => state.permissions);
  const open = useMemo(() => {
    const waits = ({ session: of, state }: event.Question | event.Permission) =>
      of === session && takesAnswer(state);
    return new Set(
      [...Object.values(questions), ...Object.values(permissions)].filter(waits).map(({ id }) => id),
    );
  }, [session, questions, permissions]);
  return useMemo(() => {
    const pinned = extra ? [0] : [];
    // From the end, where they stand; a long conversation is not searched for none.
    for (let n = items.length - 1, left = open.size; n >= 0 && left > 0; n--) {
      if (!open.has(items[n]?.ref ?? "")) continue;
      pinned.push(n + extra);
      left--;
    }
    return pinned;
  }, [items, extra, open]);
}

function Items({
  session,
  items,
  embedded,
  head,
  renderQuestion,
  renderPermission,
}: ConversationProps & { items: Item[] }) {
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const extra = head ? 1 : 0;
  const pinned = usePinned(session, items, extra);
  const follow = useFollow();
  const { scroller, atEnd, onScroll, onKeyDown, toEnd } = follow;
  // The same function each time: with another one the virtualiser lays out every row anew.
  const shown = useRef(items);
  shown.current = items;
  const getItemKey = useCallback(
    (n: number) => (n < extra ? "head" : (shown.current[n - extra]?.number ?? n)),
    [extra],
  );
  const rows = useVirtualizer({
    count: items.length + extra,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => (n < extra ? 500 : (guesses[items[n - extra]?.kind ?? ""] ?? 40)),
    getItemKey,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...pinned])].sort((a, b) => a - b),
    overscan: 6,
    paddingStart: 16,
    paddingEnd: 24,
  });
  const size = rows.getTotalSize();
  useKeepEnd(follow, size, items);
  const toggle = useCallback((number: number) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }, []);
  return (
    <div className="talk-wrap">
      <div
        className="scroll talk"
        ref={scroller}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
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
                    embedded={embedded}
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
        <button
          type="button"
          className="btn btn-small to-end"
          onClick={() => {
            scroller.current?.focus({ preventScroll: true }); // the button goes
            toEnd();
          }}
        >
          <Icon name="arrowDown" />
          {words.talk.toEnd}
        </button>
      )}
    </div>
  );
}
