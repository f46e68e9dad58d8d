import type * as t from "../../backend/types";

/** Which plugins offer their tools now, as one text, so that a run of a plugin is no change. "" = not known. */
export function offeredKey(plugins: t.Plugins | null): string {
  if (!plugins) return "";
  return JSON.stringify(plugins.plugins.map(({ id, state }) => [id, state === "enabled"]));
}

/** What became of a tool's plugin since its list was served. */
export type Gone = "" | "off" | "removed";

/** Says of each tool whether its plugin is still there and on. Of a list that is not live it says nothing. */
export function goneSince(key: string, live: boolean): (entry: t.Entry) => Gone {
  if (key === "" || !live) return () => "";
  const offered = new Map<string, boolean>(JSON.parse(key));
  return ({ source, plugin }) => {
    if (source !== "plugin" || !plugin) return "";
    const on = offered.get(plugin);
    if (on === undefined) return "removed";
    return on ? "" : "off";
  };
}
