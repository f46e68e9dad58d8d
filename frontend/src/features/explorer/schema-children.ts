import { type Json, member, rawText } from "../../lib/json";
import type { Fact } from "./schema-facts";
import { layersOf, refOf } from "./schema-refs";
import { combinators, combinatorWord, isFalse, items, keyword, simpleUnion } from "./schema-type";
import { words } from "./words";

/** What a row is called. A name is the schema's own; the others are words of ours beside it. */
export interface Label {
  kind: "root" | "name" | "pattern" | "choice" | "part" | "word" | "keyword";
  text: string;
}

/** A row that can be made: a schema, a group of rows, or JSON that is not drawn. */
export interface Spec {
  label: Label;
  /** Absent: nothing describes it, or it is only raw JSON. */
  schema?: Json;
  required: boolean;
  type?: string;
  facts?: Fact[];
  raw?: string;
  group?: Spec[];
}

/** Raw JSON beside a keyword is cut after this; the JSON view has it whole. */
const longest = 240;

// Keywords that the row itself shows, or that say nothing about what is accepted.
const drawn = new Set(
  `type enum const default format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  minLength maxLength minItems maxItems uniqueItems minProperties maxProperties examples example title
  description contentEncoding contentMediaType deprecated readOnly writeOnly $ref $dynamicRef $schema $id id
  $comment $anchor $dynamicAnchor $defs definitions $vocabulary properties required patternProperties
  additionalProperties unevaluatedProperties propertyNames items prefixItems additionalItems unevaluatedItems
  contains anyOf oneOf allOf not if then else`.split(/\s+/),
);

/** The rows under a schema, in the order of its text: arguments first, then what else it says. */
export function childSpecs(text: string, root: Json, layers: Json[], of: Spec, itemIsBack: boolean): Spec[] {
  const specs: Spec[] = [
    ...properties(text, layers, of),
    ...patterns(layers),
    ...(itemIsBack ? [] : arrayItems(text, root, layers)),
  ];
  specs.push(...combined(text, layers, specs.length > 0 || of.label.kind === "root"));
  const not = keyword(layers, "not");
  if (not) specs.push({ label: word(words.args.not), schema: not, required: false });
  const condition = keyword(layers, "if");
  if (condition) specs.push(conditional(text, layers));
  for (const layer of layers) {
    if (layer.kind !== "object") continue;
    for (const { key, value } of layer.members)
      if (!drawn.has(key) && !specs.some((spec) => spec.label.text === key && spec.raw !== undefined))
        specs.push(rawSpec(key, rawText(text, value, longest)));
  }
  return specs;
}

function word(text: string): Label {
  return { kind: "word", text };
}

function rawSpec(key: string, raw: string): Spec {
  return { label: { kind: "keyword", text: key }, required: false, type: "", raw };
}

function properties(_text: string, layers: Json[], of: Spec): Spec[] {
  const wanted = new Set<string>();
  for (const layer of layers)
    for (const name of items(member(layer, "required"))) if (name.kind === "string") wanted.add(name.value);
  const specs = new Map<string, Spec>();
  for (const layer of layers) {
    const found = member(layer, "properties");
    if (found?.kind !== "object") continue;
    for (const { key, value } of found.members) {
      const before = specs.get(key);
      const twice = before && found.members.filter((m) => m.key === key).length > 1;
      specs.set(key, {
        label: { kind: "name", text: key },
        schema: before && !twice ? before.schema : value,
        required: wanted.has(key),
        facts: twice ? [{ name: "", text: words.facts.twice }] : undefined,
      });
    }
  }
  const ghosts = [...wanted].filter((name) => !specs.has(name));
  // A choice that only names what is required adds to the rows around it: a fact, no rows.
  if (ghosts.length > 0 && specs.size === 0 && (of.label.kind === "choice" || of.label.kind === "part")) {
    of.facts = [{ name: words.facts.requires, code: ghosts.slice(0, 20) }];
    return [];
  }
  for (const name of ghosts)
    specs.set(name, {
      label: { kind: "name", text: name },
      required: true,
      type: "any",
      facts: [{ name: "", text: words.facts.ghost }],
    });
  return [...specs.values()];
}

function patterns(layers: Json[]): Spec[] {
  const specs: Spec[] = [];
  for (const layer of layers) {
    const found = member(layer, "patternProperties");
    if (found?.kind === "object")
      for (const { key, value } of found.members)
        specs.push({ label: { kind: "pattern", text: key }, schema: value, required: false });
  }
  const more = keyword(layers, "additionalProperties") ?? keyword(layers, "unevaluatedProperties");
  if (more?.kind === "object")
    specs.push({ label: word(words.args.otherKeys), schema: more, required: false });
  const names = keyword(layers, "propertyNames");
  if (names) specs.push({ label: word(words.args.keyNames), schema: names, required: false });
  return specs;
}

// Items that are plain objects lend their arguments to the array's own row.
function arrayItems(text: string, root: Json, layers: Json[]): Spec[] {
  const specs: Spec[] = [];
  const item = keyword(layers, "items");
  const each = [...items(keyword(layers, "prefixItems")), ...(item?.kind === "array" ? item.items : [])];
  each.forEach((schema, n) => {
    specs.push({ label: word(words.args.item(n + 1)), schema, required: false });
  });
  const more = () => keyword(layers, "additionalItems") ?? keyword(layers, "unevaluatedItems");
  const rest = item && item.kind !== "array" ? item : each.length > 0 ? more() : undefined;
  if (each.length > 0 && rest && isFalse(text, rest))
    specs.push({ label: word(words.args.otherItems), schema: rest, required: false });
  else if (rest && rest.kind === "object") {
    const inner = layersOf(root, rest);
    const plain = inner.layers.every(
      (layer) => layer.kind === "object" && layer.members.every((m) => lent.has(m.key)),
    );
    if (each.length > 0) specs.push({ label: word(words.args.otherItems), schema: rest, required: false });
    else if (plain)
      specs.push(
        ...properties(text, inner.layers, { label: word(""), required: false }),
        ...patterns(inner.layers),
      );
    else if (!bare(inner.layers))
      specs.push({ label: word(words.args.eachItem), schema: rest, required: false });
  }
  const contains = keyword(layers, "contains");
  if (contains) specs.push({ label: word(words.args.contains), schema: contains, required: false });
  return specs;
}

const lent = new Set(
  "type properties required patternProperties additionalProperties title $ref $comment $id enum".split(" "),
);
const silent = new Set("type enum title $ref $comment $id $schema".split(" "));

function bare(layers: Json[]): boolean {
  return layers.every((layer) => layer.kind !== "object" || layer.members.every((m) => silent.has(m.key)));
}

function combined(text: string, layers: Json[], grouped: boolean): Spec[] {
  const found = combinators
    .map((key) => ({ key, list: layers.flatMap((layer) => choices(layer, key)) }))
    .filter(({ list }) => list.length > 0);
  if (found.length === 0 || (simpleUnion(text, layers) && !keyword(layers, "type"))) return [];
  const direct = found.length === 1 && !grouped && !keyword(layers, "type");
  return found.flatMap(({ key, list }) => {
    const kind = key === "allOf" ? ("part" as const) : ("choice" as const);
    const rows = list.map(
      (schema, n): Spec => ({ label: { kind, text: String(n + 1) }, schema, required: false }),
    );
    if (direct) return rows;
    return [
      {
        label: word(combinatorWord(key, list.length)),
        schema: list[0],
        required: false,
        type: "",
        group: rows,
      },
    ];
  });
}

// An allOf of one is a layer already, but beside a reference, which is the way that layersOf takes.
function choices(layer: Json, key: "anyOf" | "oneOf" | "allOf"): Json[] {
  const list = items(member(layer, key));
  return key === "allOf" && list.length === 1 && !refOf(layer) ? [] : list;
}

function conditional(text: string, layers: Json[]): Spec {
  const parts = ["if", "then", "else"].flatMap((key) => {
    const value = keyword(layers, key);
    return value ? [`${key} ${rawText(text, value, longest)}`] : [];
  });
  return { ...rawSpec(words.args.condition, parts.join("\n")), label: word(words.args.condition) };
}
