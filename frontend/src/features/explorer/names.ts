import type * as t from "../../backend/types";

/** The name that this agent's model sees for a served tool; undefined when its form is not known. */
export function modelName(agent: t.AgentNames, server: string, served: string): string | undefined {
  if (!agent.form.includes("{tool}")) return undefined;
  return agent.form.replaceAll(/\{(server|tool)\}/g, (_, part) => (part === "server" ? server : served));
}

/** Characters as a provider counts them: code points, not UTF-16 units. */
export function characters(name: string): number {
  return [...name].length;
}

/** Pieces of a name that may stand on lines of their own: it breaks after _ and - only. */
export function breakable(name: string): string[] {
  return name.match(/[^_\-.]+[_\-.]*|[_\-.]+/g) ?? [];
}
