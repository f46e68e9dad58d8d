import { hiddenIn, mostNamed } from "../../lib/hidden";
import type { Json } from "../../lib/json";

/** What one pass over a schema finds, wherever in it. */
export interface SchemaFacts {
  /** Names of arguments at every depth, in the order in which they are met. */
  names: string[];
  /** Sub-schemas that are `true` or `false`, but for `additionalProperties` and its like. */
  booleans: number;
  /** `type` written as a list. */
  typeLists: number;
  /** `$ref`s that leave the document. */
  external: string[];
  /** `anyOf`, `oneOf`, `allOf` at the root. */
  root: string[];
  /** The root says `type: object` and has no `properties`. */
  noProperties: boolean;
  /** Hidden characters in names and descriptions of arguments. */
  hidden: string[];
  /** Keywords anywhere: what a client that rewrites schemas may drop. */
  keywords: Set<string>;
}

const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const singles = ["not", "if", "then", "else", "contains", "propertyNames", "items"];
const open = ["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"];

/** Reads a whole schema once, without following references. Any size, any depth. */
export function scanSchema(root: Json): SchemaFacts {
  const facts: SchemaFacts = {
    names: [],
    booleans: 0,
    typeLists: 0,
    external: [],
    root: [],
    noProperties: false,
    hidden: [],
    keywords: new Set(),
  };
  if (root.kind === "object") {
    const has = (key: string) => root.members.some((m) => m.key === key);
    facts.root = ["anyOf", "oneOf", "allOf"].filter(has);
    facts.noProperties = !has("properties") && !has("$ref");
  }
  const seen = new Set<string>();
  const waiting: Json[] = [root];
  for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
    if (schema.kind === "word") facts.booleans++;
    if (schema.kind !== "object") continue;
    const inner: Json[] = [];
    for (const { key, value } of schema.members) look(facts, seen, inner, key, value);
    // The last one in is read first, so that names come in the order of the text.
    for (let n = inner.length - 1; n >= 0; n--) waiting.push(inner[n] as Json);
  }
  return facts;
}

function look(facts: SchemaFacts, seen: Set<string>, inner: Json[], key: string, value: Json) {
  facts.keywords.add(key);
  if (maps.includes(key) && value.kind === "object") {
    for (const m of value.members) {
      if (key === "properties" && !seen.has(m.key)) {
        seen.add(m.key);
        facts.names.push(m.key);
        hide(facts, m.key, false);
      }
      inner.push(m.value);
    }
  } else if (lists.includes(key) && value.kind === "array") inner.push(...value.items);
  else if (key === "items" && value.kind === "array") inner.push(...value.items);
  else if (singles.includes(key)) inner.push(value);
  else if (open.includes(key) && value.kind === "object") inner.push(value);
  else if (key === "type" && value.kind === "array") facts.typeLists++;
  else if (key === "description" && value.kind === "string") hide(facts, value.value, true);
  else if (key === "$ref" && value.kind === "string" && !value.value.startsWith("#"))
    facts.external.push(value.value);
}

function hide(facts: SchemaFacts, text: string, lines: boolean) {
  for (const one of hiddenIn(text, lines))
    if (facts.hidden.length < mostNamed && !facts.hidden.includes(one)) facts.hidden.push(one);
}
