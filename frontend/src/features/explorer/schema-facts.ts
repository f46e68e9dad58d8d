import { count } from "../../lib/format";
import { type Json, rawText } from "../../lib/json";
import { items, keyword } from "./schema-type";
import { words } from "./words";

/** Something a schema says beside its type: a word and what it holds, in numbers, code or both. */
export interface Fact {
  name: string;
  /** Drawn as it is, such as "1 … 10,000". */
  text?: string;
  /** Drawn in code, each in its own frame. */
  code?: string[];
}

/** Literals longer than this are cut where they are drawn; the JSON has them whole. */
const longest = 160;

/** At most so many examples are drawn. */
const mostExamples = 3;

/** Default, constant, format, pattern, bounds and the like, in a fixed order. */
export function factsOf(text: string, layers: Json[], title: boolean): Fact[] {
  const facts: Fact[] = [];
  const literal = (name: string, key: string) => {
    const value = keyword(layers, key);
    if (value) facts.push({ name, code: [rawText(text, value, longest)] });
  };
  const plain = (name: string, key: string) => {
    const value = keyword(layers, key);
    if (value)
      facts.push({ name, code: [value.kind === "string" ? value.value : rawText(text, value, longest)] });
  };
  const own = keyword(layers, "title");
  if (title && own?.kind === "string") facts.push({ name: words.facts.title, text: own.value });
  literal(words.facts.always, "const");
  literal(words.facts.default, "default");
  plain(words.facts.format, "format");
  plain(words.facts.pattern, "pattern");
  facts.push(...bounds(text, layers));
  const examples = keyword(layers, "examples");
  const shown = items(examples).slice(0, mostExamples);
  if (shown.length > 0)
    facts.push({ name: words.facts.example, code: shown.map((value) => rawText(text, value, longest)) });
  else if (examples && examples.kind !== "array") literal(words.facts.example, "examples");
  else literal(words.facts.example, "example");
  plain(words.facts.encoding, "contentEncoding");
  plain(words.facts.media, "contentMediaType");
  for (const [key, name] of Object.entries(words.facts.flags)) {
    const value = keyword(layers, key);
    if (value && rawText(text, value) === "true") facts.push({ name: "", text: name });
  }
  return facts;
}

function bounds(text: string, layers: Json[]): Fact[] {
  const facts: Fact[] = [];
  const value = (key: string) => {
    const found = keyword(layers, key);
    return found?.kind === "number" ? grouped(rawText(text, found, 40)) : undefined;
  };
  const range = (name: string, low: string, high: string, least = "") => {
    const from = value(low) ?? least;
    const to = value(high);
    if (value(low) !== undefined || to !== undefined)
      facts.push({ name, text: `${from} … ${to ?? ""}`.trim() });
  };
  range(words.facts.range, "minimum", "maximum");
  const above = value("exclusiveMinimum");
  const below = value("exclusiveMaximum");
  if (above !== undefined) facts.push({ name: words.facts.above, text: above });
  if (below !== undefined) facts.push({ name: words.facts.below, text: below });
  const step = value("multipleOf");
  if (step !== undefined) facts.push({ name: words.facts.multiple, text: step });
  range(words.facts.length, "minLength", "maxLength", "0");
  range(words.facts.items, "minItems", "maxItems", "0");
  range(words.facts.keys, "minProperties", "maxProperties", "0");
  const unique = keyword(layers, "uniqueItems");
  if (unique && rawText(text, unique) === "true") facts.push({ name: "", text: words.facts.unique });
  return facts;
}

// Whole numbers that are safe get their commas; every other spelling stays as it was served.
function grouped(raw: string): string {
  return /^-?\d{1,15}$/.test(raw) ? count(Number(raw)) : raw;
}
