import type { KeyboardEvent, Ref } from "react";
import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { Search } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { statusOf } from "./state-of";
import { words } from "./words";

export interface PluginListProps {
  plugins: t.Plugin[];
  chosen: string;
  query: string;
  field: Ref<HTMLInputElement>;
  onQuery: (query: string) => void;
  onChoose: (id: string) => void;
}

/** The plugins in a list: arrows choose, the chosen one is the only stop of Tab. */
export function PluginList({ plugins, chosen, query, field, onQuery, onChoose }: PluginListProps) {
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = plugins.findIndex(({ id }) => id === chosen);
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: plugins.length - 1,
    };
    const next = plugins[to[event.key] ?? -1];
    if (to[event.key] === undefined) return;
    event.preventDefault();
    if (!next) return;
    onChoose(next.id);
    document.getElementById(rowId(next.id))?.focus();
  };
  const shown = plugins.some(({ id }) => id === chosen);
  return (
    <div className="pl-list">
      <div className="pl-search">
        <Search
          ref={field}
          className="grow"
          hotkey="/"
          label={words.search}
          value={query}
          onChange={onQuery}
        />
      </div>
      {plugins.length === 0 && (
        <p className="faint pl-nothing" role="status">
          <SafeText text={words.noMatch(query.trim())} />
        </p>
      )}
      {plugins.length > 0 && (
        <div
          className="scroll grow pl-scroll"
          role="listbox"
          tabIndex={-1}
          aria-label={words.list}
          onKeyDown={key}
        >
          {plugins.map((plugin, n) => (
            <Row
              key={plugin.id}
              plugin={plugin}
              selected={plugin.id === chosen}
              stop={shown ? plugin.id === chosen : n === 0}
              onChoose={() => onChoose(plugin.id)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const rowId = (id: string) => `installed/${id}`;

interface RowProps {
  plugin: t.Plugin;
  selected: boolean;
  stop: boolean;
  onChoose: () => void;
}

function Row({ plugin, selected, stop, onChoose }: RowProps) {
  const status = statusOf(plugin);
  return (
    <button
      type="button"
      id={rowId(plugin.id)}
      className="item srv"
      role="option"
      aria-selected={selected}
      tabIndex={stop ? 0 : -1}
      onClick={onChoose}
    >
      <StatusShape shape={status.shape} tone={status.tone} />
      <span className="srv-text">
        <span className="srv-line">
          <span className="medium cut">
            <SafeText text={plugin.name} />
          </span>
          <span className="faint small num">
            <SafeText text={plugin.version} />
          </span>
          <span className="count end">{count(plugin.tools.length)}</span>
        </span>
        <span
          className={
            status.tone === "warn" || status.tone === "bad" ? `srv-note st-${status.tone}` : "srv-note"
          }
        >
          {status.word}
        </span>
      </span>
    </button>
  );
}
