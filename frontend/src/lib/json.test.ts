import { expect, test } from "vitest";
import { type Json, member, parseJson, rawText, tokenize } from "./json";
import { formatJson, widest } from "./json-format";

const joined = (text: string) =>
  (formatJson(text) ?? [])
    .map((line) => " ".repeat(line.indent * 2) + line.parts.map((p) => p.text).join(""))
    .join("\n");

test.each([
  ['{"a":1}', true],
  [' { "a" : [ 1 , -0.5e+3 , true , null , "x\\u202e" ] } ', true],
  ['"text"', true],
  ["1e400", true],
  ["[]", true],
  ["", false],
  ["{", false],
  ["{]", false],
  ['{"a"}', false],
  ['{"a":}', false],
  ['{"a":1,}', false],
  ["[1,]", false],
  ["[1 2]", false],
  ["1 2", false],
  ["{1:2}", false],
  ["tru", false],
  ['"open', false],
  ["01", false],
  ["[1],", false],
])("reads %s: %s", (text, good) => {
  expect(parseJson(text) !== null).toBe(good);
});

test("agrees with the engine's own parser about what JSON is", () => {
  for (const text of ['{"a":[{"b":[]},{}],"c":""}', '[[[]],{"x":{"y":[1,2,{"z":null}]}}]']) {
    const plain = (value: Json): unknown => {
      if (value.kind === "object")
        return Object.fromEntries(value.members.map((m) => [m.key, plain(m.value)]));
      if (value.kind === "array") return value.items.map(plain);
      return JSON.parse(rawText(text, value));
    };
    expect(plain(parseJson(text) as Json)).toEqual(JSON.parse(text));
  }
});

test("keeps duplicate keys, and the last one counts", () => {
  const text = '{"type":"a","type":"b"}';
  const value = parseJson(text) as Json;
  expect(value.kind === "object" && value.members.length).toBe(2);
  expect(rawText(text, member(value, "type") as Json)).toBe('"b"');
});

test("65,536 levels neither end the stack nor take long", () => {
  const text = "[".repeat(65_536) + "]".repeat(65_536);
  const start = performance.now();
  expect(parseJson(text)).not.toBeNull();
  expect(formatJson(text)).toHaveLength(2 * 65_536 - 1);
  expect(performance.now() - start).toBeLessThan(5000);
});

test("a string of a megabyte is one token", () => {
  expect(tokenize(`"${"é\\n".repeat(300_000)}"`)).toHaveLength(1);
});

test("indents without changing a number, the order or a duplicate", () => {
  expect(joined('{"b":1e400,"a":9007199254740993,"b":-0.0,"e":{},"l":[],"n":[1,{"x":"\\u0041"}]}')).toBe(
    `{
  "b": 1e400,
  "a": 9007199254740993,
  "b": -0.0,
  "e": {},
  "l": [],
  "n": [
    1,
    {
      "x": "\\u0041"
    }
  ]
}`,
  );
});

test("the indented text holds the same tokens as the served one", () => {
  const text = '{"a":[1,2,{"b":"{\\"[,:"}],"c":{"d":{}}}';
  const tokens = (of: string) => (tokenize(of) ?? []).map((token) => of.slice(token.from, token.to));
  expect(tokens(joined(text))).toEqual(tokens(text));
});

test("what is no JSON is not indented", () => {
  expect(formatJson("{nope")).toBeNull();
});

test("measures the widest line", () => {
  expect(widest(formatJson('{"a":"12345"}') ?? [], 2)).toBe('  "a": "12345"'.length);
});
