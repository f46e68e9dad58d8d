import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { words } from "./words";

/** The name that this agent's model sees for a served tool; undefined when its form is not known. */
export function modelName(agent: t.AgentNames, server: string, served: string): string | undefined {
  if (!agent.form.includes("{tool}")) return undefined;
  return agent.form.replaceAll(/\{(server|tool)\}/g, (_, part) => (part === "server" ? server : served));
}

/** How long a name is, against the limit of this agent's client, and what that does beyond it. */
export function lengthNote(agent: t.AgentNames, length: number): string {
  const { names } = words;
  if (agent.limit === 0) return names.characters(count(length));
  const note = length > agent.limit ? names.over : names.ofLimit;
  const beyond = agent.beyond ? `. ${names.beyond(agent.name, agent.beyond)}` : "";
  return note(count(length), count(agent.limit)) + beyond;
}

/** Where what is said of an agent's client is known from; "" when nothing was measured. */
export function measuredWith(agent: t.AgentNames): string {
  return agent.measured_with ? `${words.warn.measured(agent.measured_with)}.` : "";
}

/** When the agent is given changed tools: one that ignores list_changed keeps what it was served first. */
export function changedHint(agent: t.AgentNames): string {
  if (!agent.keeps_list) return words.notice.changedHint(agent.name);
  return [words.notice.keepsList(agent.name), measuredWith(agent)].filter(Boolean).join(" ");
}

/** Why a server that was delivered may never be connected; "" where that is not known of the agent. */
export function unconnected(server: t.event.Server, agent: t.AgentNames, live: boolean): string {
  if (!live || server.status !== "delivered" || !agent.client.unconnected) return "";
  return [agent.client.unconnected, measuredWith(agent)].filter(Boolean).join(" ");
}

/** Characters as a provider counts them: code points, not UTF-16 units. */
export function characters(name: string): number {
  return [...name].length;
}

/** Pieces of a name that may stand on lines of their own: it breaks after _ and - only. */
export function breakable(name: string): string[] {
  return name.match(/[^_\-.]+[_\-.]*|[_\-.]+/g) ?? [];
}

/** A plugin by the name that it gives itself and its id. The name alone may say anything, "Kandev" too. */
export function pluginNamed({ plugin = "", plugin_name: name = "" }: t.Entry): string {
  return name && name !== plugin ? `${name} (${plugin})` : plugin;
}
