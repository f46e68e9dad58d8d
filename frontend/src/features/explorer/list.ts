import type * as t from "../../backend/types";
import { isPartial } from "./copy";

// Which tools are listed, in which order, and why a tool matches. Pure: what only a parsed schema
// knows is asked of an index.

export type SortBy = "name" | "tokens" | "calls";
export type ShowOnly = "all" | "called" | "never" | "cut" | "warnings" | "marked";

export interface ListView {
  query: string;
  sort: SortBy;
  /** "all", "builtin", or a plugin as "plugin:ID". */
  source: string;
  show: ShowOnly;
}

export const firstView: ListView = { query: "", sort: "tokens", source: "all", show: "all" };

/** What is known of a tool beyond its entry. */
export interface ToolIndex {
  argumentNames(entry: t.Entry): readonly string[];
  hasWarnings(entry: t.Entry): boolean;
  calls(entry: t.Entry): number;
}

/** Why a tool matches: by its name, by an argument, or by a word of its description. */
export interface Hit {
  /** The served name; of a second tool with the same name another one. */
  key: string;
  entry: t.Entry;
  argument?: string;
  /** The description from shortly before the match. */
  description?: string;
}

/** The words of a query, lower-case; all of them must match somewhere. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The tools to list, filtered, searched and sorted; ties are in the order of served names. */
export function listTools(entries: readonly t.Entry[], view: ListView, index: ToolIndex): Hit[] {
  const wanted = queryWords(view.query);
  const hits: Hit[] = [];
  for (const { key, entry } of keyed(entries)) {
    if (!fromSource(entry, view.source) || !isShown(entry, view.show, index)) continue;
    const hit = wanted.length === 0 ? { key, entry } : matchTool(key, entry, wanted, index);
    if (hit) hits.push(hit);
  }
  return hits.sort((a, b) => order(a.entry, b.entry, view.sort, index));
}

/** Entries with a key of their own, also where two have one name. */
export function keyed(entries: readonly t.Entry[]): Hit[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const n = (seen.get(entry.served) ?? 0) + 1;
    seen.set(entry.served, n);
    return { key: n === 1 ? entry.served : `${entry.served}\u0000${n}`, entry };
  });
}

function fromSource(entry: t.Entry, source: string): boolean {
  return source === "all" || source === sourceOf(entry);
}

/** "builtin" or "plugin:ID". */
export function sourceOf(entry: t.Entry): string {
  return entry.source === "plugin" ? `plugin:${entry.plugin ?? ""}` : entry.source;
}

/** The sources that a catalog holds, built-in first. */
export function sourcesOf(entries: readonly t.Entry[]): string[] {
  const found = [...new Set(entries.map(sourceOf))].sort();
  return [...found.filter((s) => s === "builtin"), ...found.filter((s) => s !== "builtin")];
}

function isShown(entry: t.Entry, show: ShowOnly, index: ToolIndex): boolean {
  if (show === "called") return index.calls(entry) > 0;
  if (show === "never") return index.calls(entry) === 0;
  if (show === "cut") return isPartial(entry);
  if (show === "warnings") return index.hasWarnings(entry);
  if (show === "marked") return entry.mark === "new" || entry.mark === "changed";
  return true;
}

function matchTool(key: string, entry: t.Entry, wanted: string[], index: ToolIndex): Hit | undefined {
  const name = `${entry.served} ${entry.canonical} ${entry.original ?? ""}`.toLowerCase();
  const description = entry.description.toLowerCase();
  const hit: Hit = { key, entry };
  for (const word of wanted) {
    if (name.includes(word)) continue;
    const argument = index.argumentNames(entry).find((n) => n.toLowerCase().includes(word));
    if (argument !== undefined) {
      hit.argument ??= argument;
      continue;
    }
    const at = description.indexOf(word);
    if (at < 0) return undefined;
    // What is already in sight on the row's one line is not said again.
    if (at > 40) hit.description ??= fromWord(entry.description, at);
  }
  return hit;
}

// The text from a word shortly before an offset.
function fromWord(text: string, at: number): string {
  const from = Math.max(0, at - 24);
  const blank = text.indexOf(" ", from);
  return text.slice(blank >= 0 && blank < at ? blank + 1 : from);
}

function order(a: t.Entry, b: t.Entry, sort: SortBy, index: ToolIndex): number {
  if (sort === "tokens") {
    const difference = (b.estimate ?? -1) - (a.estimate ?? -1);
    if (difference !== 0) return difference;
  }
  if (sort === "calls") {
    const difference = index.calls(b) - index.calls(a);
    if (difference !== 0) return difference;
  }
  return a.served < b.served ? -1 : a.served > b.served ? 1 : 0;
}

/**
 * The same tools in the order of an earlier list, new ones at the end: rows stay where they are
 * while somebody points at them.
 */
export function keepOrder(hits: readonly Hit[], before: readonly string[]): Hit[] {
  const place = new Map(before.map((key, n) => [key, n]));
  return hits
    .map((hit, n) => ({ hit, at: place.get(hit.key) ?? before.length + n }))
    .sort((a, b) => a.at - b.at)
    .map(({ hit }) => hit);
}

/** Splits a text at the words of a query: odd parts are hits. */
export function marked(text: string, wanted: readonly string[]): string[] {
  if (wanted.length === 0) return [text];
  const escaped = wanted.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`, "gi"));
}
