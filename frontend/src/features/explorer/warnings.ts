import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { hiddenIn } from "../../lib/hidden";
import { modelName, pluginNamed } from "./names";
import type { Gone } from "./plugin-state";
import type { SchemaFacts } from "./schema-scan";
import { words } from "./words";

export interface Warning {
  id: string;
  /** "info" tells of something harmless; only "warn" marks the row. */
  level: "warn" | "info";
  title: string;
  /** Hidden characters, drawn after the title. */
  hidden: string[];
  text: string;
  /** Where that is known from. */
  source: string;
}

const w = words.warn;

/** Where no limit of the agent is known, providers are known to take so many characters. */
const generalLimit = 64;

/**
 * What may go wrong with a tool for the agent of this session, and no other. Whatever was not
 * measured with it is said of "some providers", with that source. `facts` is null without a schema.
 */
export function warningsOf(
  entry: t.Entry,
  facts: SchemaFacts | null,
  agent: t.AgentNames,
  server: string,
): Warning[] {
  return [...ofName(entry, agent, server), ...ofText(entry, agent), ...(facts ? ofSchema(facts, agent) : [])];
}

/** A tool that the agent still has in its list, and whose plugin answers no more. */
export function ofPlugin(entry: t.Entry, gone: Gone, agent: t.AgentNames): Warning[] {
  if (gone === "") return [];
  const name = pluginNamed(entry);
  const title = gone === "off" ? w.pluginOff(name) : w.pluginRemoved(name);
  return [warning("plugin-gone", "warn", title, w.pluginGoneText(agent.name), w.registry)];
}

function source(agent: t.AgentNames, known: boolean): string {
  return known && agent.measured_with ? w.measured(agent.measured_with) : w.general;
}

function warning(id: string, level: Warning["level"], title: string, text: string, from: string): Warning {
  return { id, level, title, text, source: from, hidden: [] };
}

function ofName(entry: t.Entry, agent: t.AgentNames, server: string): Warning[] {
  const list: Warning[] = [];
  const model = modelName(agent, server, entry.served) ?? entry.served;
  const length = [...model].length;
  if (agent.limit > 0 && length > agent.limit) {
    const text = agent.beyond ? w.nameLimitText(agent.name, agent.beyond) : w.nameLimitUnknown(agent.name);
    const title = w.nameLimit(count(length), count(agent.limit));
    list.push(warning("name-limit", "warn", title, text, source(agent, agent.beyond !== undefined)));
  } else if (agent.limit === 0 && !agent.measured_with && length > generalLimit)
    list.push(warning("name-limit", "warn", w.nameGeneral(count(length)), w.nameGeneralText, w.general));
  if (/[^A-Za-z0-9_-]/.test(entry.served)) {
    const does = agent.client.characters;
    const text = does ?? w.charactersText;
    list.push(warning("name-characters", "warn", w.characters, text, source(agent, does !== undefined)));
  }
  const hidden = hiddenIn(entry.served, false);
  if (hidden.length > 0)
    list.push({ ...warning("name-hidden", "warn", w.hiddenName, w.hiddenNameText, w.standard), hidden });
  return list;
}

function ofText(entry: t.Entry, agent: t.AgentNames): Warning[] {
  const hidden = hiddenIn(entry.description, true);
  if (hidden.length === 0) return [];
  const passes = agent.client.description;
  const title = hidden.length === 1 ? w.hiddenOne : w.hidden;
  const text = passes ? `${w.hiddenText} ${passes}` : w.hiddenText;
  const from = passes ? source(agent, true) : w.standard;
  return [{ ...warning("hidden", "warn", title, text, from), hidden }];
}

function ofSchema(facts: SchemaFacts, agent: t.AgentNames): Warning[] {
  const list: Warning[] = [];
  const add = (id: string, level: Warning["level"], title: string, text: string) =>
    list.push(warning(id, level, title, text, w.general));
  if (facts.root.length > 0)
    add("root-combinator", "warn", w.combinator(facts.root.join(", ")), w.combinatorText);
  if (facts.booleans > 0) add("boolean-schema", "warn", w.boolean(count(facts.booleans)), w.booleanText);
  if (facts.noProperties) add("no-properties", "warn", w.noProperties, w.noPropertiesText);
  if (facts.hidden.length > 0)
    list.push({
      ...warning("hidden-arguments", "warn", w.hiddenArguments, w.hiddenText, w.standard),
      hidden: facts.hidden,
    });
  const external = facts.external[0];
  if (external !== undefined) add("external-ref", "warn", w.external(external), w.externalText);
  const { type_list, rewrites, rewrite_keys } = agent.client;
  if (facts.typeLists > 0) {
    const text = type_list ?? w.typeListText;
    list.push(warning("type-list", "info", w.typeList, text, source(agent, type_list !== undefined)));
  }
  if (rewrites && rewrite_keys.some((key) => facts.keywords.has(key)))
    list.push(warning("rewrites", "info", w.rewrites(agent.name), rewrites, source(agent, true)));
  return list;
}

/** Reports whether a row is marked. */
export function marksRow(list: readonly Warning[]): boolean {
  return list.some((one) => one.level === "warn");
}
