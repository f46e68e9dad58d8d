// JSON as text: nothing is decoded that would change it. Numbers keep their spelling, objects their
// order and their duplicate keys. Everything here is a loop, so that no nesting can end the stack.

export type TokenKind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "number" | "word";

/** A piece of the text, from one offset to another. */
export interface Token {
  kind: TokenKind;
  from: number;
  to: number;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const string = /"(?:[^"\\]|\\.)*"/sy;

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The token at or after an offset; null at the end, "bad" where the text is no JSON. */
function nextToken(text: string, from: number): Token | null | "bad" {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text[at] ?? "")) at++;
  if (at >= text.length) return null;
  const first = text[at] ?? "";
  if ("{}[]:,".includes(first)) return { kind: first as TokenKind, from: at, to: at + 1 };
  if (first === '"') return piece("string", at, endOfString(text, at));
  if (first === "-" || (first >= "0" && first <= "9")) return piece("number", at, match(number, text, at));
  return piece("word", at, match(word, text, at));
}

// A long string may be more than a pattern's stack holds in some engines.
function endOfString(text: string, at: number): number {
  if (text.length - at < 2000) return match(string, text, at);
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end++;
    else if (code === 0x22) return end + 1;
  }
  return -1;
}

function piece(kind: TokenKind, from: number, to: number): Token | "bad" {
  return to < 0 ? "bad" : { kind, from, to };
}

/** All tokens of a text in order; null when it is no sequence of JSON tokens. */
export function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    const token = nextToken(text, at);
    if (token === null) return tokens;
    if (token === "bad") return null;
    tokens.push(token);
    at = token.to;
  }
}

export interface Member {
  key: string;
  value: Json;
}

interface Span {
  from: number;
  to: number;
}

/** A value with its place in the text. Members of an object are as served, duplicates too. */
export type Json =
  | (Span & { kind: "object"; members: Member[] })
  | (Span & { kind: "array"; items: Json[] })
  | (Span & { kind: "string"; value: string })
  | (Span & { kind: "number" | "word" });

type Open = Extract<Json, { kind: "object" | "array" }>;

/** Reads a text into values; null when it is not exactly one JSON value. */
export function parseJson(text: string): Json | null {
  const tokens = tokenize(text);
  return tokens ? build(text, tokens) : null;
}

function build(text: string, tokens: Token[]): Json | null {
  const open: Open[] = [];
  const keys: (string | null)[] = [];
  let root: Json | null = null;
  // What may stand next: a value, a member's key, or what follows a value.
  let want: "value" | "first" | "key" | "after" = "value";
  const put = (value: Json): boolean => {
    const parent = open.at(-1);
    if (!parent) {
      if (root) return false;
      root = value;
    } else if (parent.kind === "array") parent.items.push(value);
    else {
      const key = keys.at(-1);
      if (key === null || key === undefined) return false;
      parent.members.push({ key, value });
      keys[keys.length - 1] = null;
    }
    return true;
  };
  for (let n = 0; n < tokens.length; n++) {
    const token = tokens[n] as Token;
    const { kind, from, to } = token;
    const parent = open.at(-1);
    if (kind === "}" || kind === "]") {
      const fits = parent && (kind === "}") === (parent.kind === "object");
      if (!fits || !(want === "after" || want === "first")) return null;
      parent.to = to;
      open.pop();
      keys.pop();
      want = "after";
    } else if (want === "after") {
      if (kind !== "," || !parent) return null;
      want = parent.kind === "object" ? "key" : "value";
    } else if (parent?.kind === "object" && (want === "key" || want === "first")) {
      if (kind !== "string" || tokens[n + 1]?.kind !== ":") return null;
      keys[keys.length - 1] = decode(text.slice(from, to));
      n++;
      want = "value";
    } else if (kind === "{" || kind === "[") {
      const value: Open =
        kind === "{" ? { kind: "object", members: [], from, to } : { kind: "array", items: [], from, to };
      if (!put(value)) return null;
      open.push(value);
      keys.push(null);
      want = "first";
    } else if (kind === "string" || kind === "number" || kind === "word") {
      const value: Json =
        kind === "string" ? { kind, value: decode(text.slice(from, to)), from, to } : { kind, from, to };
      if (!put(value)) return null;
      want = "after";
    } else return null;
  }
  return open.length === 0 ? root : null;
}

/** The characters of a JSON string; its text without the quotes when an escape in it is none. */
function decode(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1, -1);
  }
}

/** The value of a key; of duplicates the last, as every reader of JSON takes it. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (value?.kind !== "object") return undefined;
  return value.members.findLast((m) => m.key === key)?.value;
}

/** The text of a value as it was served, cut after so many characters. */
export function rawText(text: string, value: Json, most = Number.POSITIVE_INFINITY): string {
  const raw = text.slice(value.from, Math.min(value.to, value.from + most));
  return value.to - value.from > most ? `${raw}…` : raw;
}
