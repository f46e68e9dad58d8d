import type * as t from "../../backend/types";
import { count, duration } from "../../lib/format";
import type { Status } from "../../ui/status-dot";
import { words } from "./words";

/** The state of a plugin in a shape and a word; the reason is the word where there is one. */
export function statusOf(plugin: t.Plugin): Status {
  if (plugin.state === "enabled")
    return plugin.missing.length > 0
      ? { shape: "waiting", tone: "warn", word: words.needs }
      : { shape: "done", tone: "idle", word: words.states.enabled ?? "" };
  const reason = plugin.state === "disabled" ? words.reasons[plugin.reason] : undefined;
  if (plugin.reason === "asks_more") return { shape: "waiting", tone: "warn", word: reason ?? "" };
  if (reason) return { shape: "failed", tone: "bad", word: reason };
  return { shape: "ready", tone: "idle", word: words.states[plugin.state] ?? plugin.state };
}

/** The plugins whose name, id or tool holds every word of the query. */
export function matching(plugins: readonly t.Plugin[], query: string): t.Plugin[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  return plugins.filter((plugin) => {
    const tools = plugin.tools.map((tool) => `${tool.served} ${tool.original}`).join(" ");
    const text = `${plugin.name} ${plugin.id} ${tools}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/** One permission as a row: what is asked, what was granted, and whether it is beyond the grant. */
export interface PermissionRow {
  key: "hosts" | "network" | "memory" | "time";
  asks: string[];
  granted: string[];
  /** Those of `asks` that were not granted. */
  more: string[];
}

/** A host as a person reads it. */
export function hostWord(host: string): string {
  return host === "*" ? words.permissions.any : host;
}

/** "64 MB", "30 s". */
export const memoryWord = (mb: number) => words.permissions.megabytes(count(mb));
export const timeWord = (ms: number) => duration(ms).replace(/\.0 s$/, " s");

export function permissionRows(plugin: t.Plugin): PermissionRow[] {
  const { requested, granted, asks } = plugin;
  const yes = (on: boolean) => [on ? words.permissions.yes : words.permissions.no];
  const hosts = (list: string[]) => (list.length > 0 ? list.map(hostWord) : [words.permissions.none]);
  return [
    {
      key: "hosts",
      asks: hosts(requested.hosts),
      granted: granted ? hosts(granted.hosts) : [],
      more: asks.hosts.map(hostWord),
    },
    {
      key: "network",
      asks: yes(requested.private_network),
      granted: granted ? yes(granted.private_network) : [],
      more: asks.private_network ? yes(true) : [],
    },
    {
      key: "memory",
      asks: [memoryWord(requested.memory_mb)],
      granted: granted ? [memoryWord(granted.memory_mb)] : [],
      more: asks.memory_mb > 0 ? [memoryWord(requested.memory_mb)] : [],
    },
    {
      key: "time",
      asks: [timeWord(requested.timeout_ms)],
      granted: granted ? [timeWord(granted.timeout_ms)] : [],
      more: asks.timeout_ms > 0 ? [timeWord(requested.timeout_ms)] : [],
    },
  ];
}

/** The name of a setting for a person. */
export function fieldName(field: Pick<t.PluginField, "key" | "title">): string {
  return field.title || field.key;
}

/** The names of required settings that are not set. */
export function missingNames(plugin: t.Plugin): string {
  return plugin.missing
    .map((key) => fieldName(plugin.config.find((field) => field.key === key) ?? { key, title: "" }))
    .join(", ");
}

/** What a tool says of its effects; what it does not say is left out. */
export function hintWords(tool: t.PluginTool): string[] {
  const list: string[] = [];
  const say = (hint: boolean | undefined, yes: string, no = "") => {
    if (hint === true) list.push(yes);
    if (hint === false && no) list.push(no);
  };
  say(tool.read_only, words.tools.readOnly, words.tools.writes);
  say(tool.destructive, words.tools.destructive, words.tools.harmless);
  say(tool.idempotent, words.tools.idempotent);
  say(tool.open_world, words.tools.openWorld);
  return list;
}
