import { type Json, member, rawText } from "../../lib/json";
import { layersOf } from "./schema-refs";

/** What a keyword says in the first layer that has it. */
export function keyword(layers: Json[], key: string): Json | undefined {
  for (const layer of layers) {
    const value = member(layer, key);
    if (value) return value;
  }
  return undefined;
}

export function items(value: Json | undefined): Json[] {
  return value?.kind === "array" ? value.items : [];
}

/** The schema that allows nothing. */
export function isFalse(text: string, schema: Json): boolean {
  return schema.kind === "word" && rawText(text, schema) === "false";
}

export const combinators = ["anyOf", "oneOf", "allOf"] as const;
export type Combinator = (typeof combinators)[number];

const words: Record<Combinator, string> = { anyOf: "any of", oneOf: "one of", allOf: "all of" };

/** "one of 3" */
export function combinatorWord(key: Combinator, n: number): string {
  return `${words[key]} ${n}`;
}

/** Arrays of arrays are named to this depth. */
const deepest = 6;

/**
 * The type in words: "string | null", "array of object", "one of 3", "enum", "any", "nothing
 * allowed". `stop` answers the name of an item schema that is a way back.
 */
export function typeText(
  text: string,
  root: Json,
  layers: Json[],
  stop: (schema: Json) => string = () => "",
  depth = 0,
): string {
  const flat = layers.find((layer) => layer.kind === "word");
  if (flat) return isFalse(text, flat) ? "nothing allowed" : "any";
  const declared = declaredTypes(text, keyword(layers, "type"));
  const simple = simpleUnion(text, layers);
  if (declared.length === 0 && simple) return simple;
  const types = declared.length > 0 ? declared : [implied(layers)];
  return types
    .map((type) => (type === "array" ? arrayText(text, root, layers, stop, depth) : type))
    .join(" | ");
}

function declaredTypes(text: string, type: Json | undefined): string[] {
  if (!type) return [];
  if (type.kind === "string") return [type.value];
  if (type.kind === "array") {
    const names = type.items.map((item) => (item.kind === "string" ? item.value : rawText(text, item, 40)));
    return names.length === 0 ? ["any"] : [...new Set(names)];
  }
  return [rawText(text, type, 40)];
}

function implied(layers: Json[]): string {
  const has = (key: string) => keyword(layers, key) !== undefined;
  if (has("const")) return "constant";
  if (has("enum")) return "enum";
  for (const key of ["oneOf", "anyOf", "allOf"] as const) {
    const n = items(keyword(layers, key)).length;
    if (n > (key === "allOf" ? 1 : 0) && !has("properties")) return combinatorWord(key, n);
  }
  if (["properties", "patternProperties", "additionalProperties", "required"].some(has)) return "object";
  if (has("items") || has("prefixItems")) return "array";
  return "any";
}

function arrayText(
  text: string,
  root: Json,
  layers: Json[],
  stop: (schema: Json) => string,
  depth: number,
): string {
  const item = keyword(layers, "items");
  // Of a tuple it says what comes after the items that have rows of their own.
  const tuple = keyword(layers, "prefixItems") !== undefined;
  if (!item || item.kind === "array" || tuple || depth >= deepest) return "array";
  const back = stop(item);
  if (back) return `array of ${back}`;
  const inner = typeText(text, root, layersOf(root, item).layers, stop, depth + 1);
  return inner === "any" ? "array" : `array of ${inner.includes(" | ") ? `(${inner})` : inner}`;
}

/** `anyOf` or `oneOf` of bare types, written as one line: "string | null". "" for anything else. */
export function simpleUnion(text: string, layers: Json[]): string {
  const choices = [...items(keyword(layers, "anyOf")), ...items(keyword(layers, "oneOf"))];
  if (choices.length === 0 || (keyword(layers, "anyOf") && keyword(layers, "oneOf"))) return "";
  const types: string[] = [];
  for (const choice of choices) {
    const only = choice.kind === "object" && choice.members.length === 1 ? choice.members[0] : undefined;
    if (only?.key !== "type" || only.value.kind !== "string") return "";
    types.push(...declaredTypes(text, only.value));
  }
  return [...new Set(types)].join(" | ");
}
