import { type KeyboardEvent, useMemo, useRef } from "react";
import type * as t from "../../backend/types";
import { count, plural } from "../../lib/format";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Search } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { type ShowOnly, type SortBy, sourceOf, sourcesOf } from "./list";
import { pluginNamed } from "./names";
import { ToolList } from "./tool-list";
import type { Listing, Model } from "./use-model";
import type { View } from "./view";
import { words } from "./words";

export interface ToolsProps {
  catalog: t.Catalog;
  model: Model;
  server: t.event.Server;
  listing: Listing;
  view: View;
  change: (change: Partial<View>) => void;
  /** While the pointer is over the rows they keep this order; null lets them go. */
  onHold: (keys: string[] | null) => void;
}

const shows = Object.entries(words.shows).map(([value, label]) => ({ value: value as ShowOnly, label }));
const sorts = Object.entries(words.sorts).map(([value, label]) => ({ value: value as SortBy, label }));

/** The second level: search, filters and the rows. */
export function Tools(props: ToolsProps) {
  const { catalog, listing, view, change } = props;
  const place = useRef<HTMLDivElement>(null);
  const all = catalog.entries.length;
  const n = listing.hits.length;
  const sources = useMemo(() => sourceOptions(catalog.entries), [catalog.entries]);
  const down = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    const first = listing.hits[0];
    if (!first) return;
    event.preventDefault();
    if (event.key === "Enter") change({ tool: first.key, active: first.key });
    else place.current?.querySelector<HTMLElement>(".tool[tabindex='0']")?.focus();
  };
  return (
    <div className="tools" ref={place}>
      <div className="tools-bar">
        <Search
          className="grow"
          label={words.search}
          value={view.query}
          hotkey="/"
          onChange={(query) => change({ query, scroll: 0, active: "" })}
          onKeyDown={down}
        />
        <span className="hits faint num" role="status">
          {n === all ? plural(all, words.figures.tool) : words.hits(count(n), count(all))}
        </span>
        {sources.length > 2 && (
          <Select
            label={words.source}
            value={view.source}
            options={sources}
            onChange={(source) => change({ source, scroll: 0 })}
          />
        )}
        <Select
          label={words.show}
          value={view.show}
          options={shows}
          onChange={(show) => change({ show, scroll: 0 })}
        />
        <Select
          label={words.sort}
          value={view.sort}
          options={sorts}
          onChange={(sort) => change({ sort, scroll: 0 })}
        />
      </div>
      {n > 0 ? <ToolList {...props} /> : <NoMatch view={view} change={change} />}
    </div>
  );
}

function sourceOptions(entries: readonly t.Entry[]) {
  const named = sourcesOf(entries).map((value) => ({
    value,
    label: value === "builtin" ? words.builtin : <SafeText text={nameOf(entries, value)} />,
  }));
  return [{ value: "all", label: words.all }, ...named];
}

function nameOf(entries: readonly t.Entry[], source: string): string {
  const own = entries.find((entry) => sourceOf(entry) === source);
  return own ? pluginNamed(own) : source;
}

function NoMatch({ view, change }: { view: View; change: ToolsProps["change"] }) {
  const searched = view.query.trim() !== "";
  const filtered = view.source !== "all" || view.show !== "all";
  return (
    <EmptyState
      icon={searched ? "search" : "filter"}
      title={searched ? <SafeText text={words.noMatch(view.query.trim())} /> : words.noMatchFilter}
      actions={
        <>
          {searched && <Button onClick={() => change({ query: "" })}>{words.clear}</Button>}
          {filtered && (
            <Button onClick={() => change({ query: "", source: "all", show: "all" })}>
              {words.clearFilters}
            </Button>
          )}
        </>
      }
    >
      {searched && words.noMatchHint}
    </EmptyState>
  );
}
