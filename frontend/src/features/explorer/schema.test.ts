import { describe, expect, test } from "vitest";
import { oddSchemas, sampleEntry } from "./sample";
import { argumentsOf, rowStep, visibleRows } from "./schema-rows";
import type { Arg, SchemaTree } from "./schema-tree";

const known = (input_schema: string | undefined, change = {}) =>
  argumentsOf(sampleEntry({ served: "x", input_schema, ...change }));

function tree(schema: string): SchemaTree {
  const found = known(schema);
  if (found.state !== "shown") throw new Error(`the schema is ${found.state}`);
  return found.tree;
}

// A row in one line: indent, name, type, what else it says.
function line(arg: Arg): string {
  const facts = arg.facts.map((f) => [f.name, f.text, ...(f.code ?? [])].filter(Boolean).join(" "));
  const parts = [
    `${arg.label.kind === "name" ? "" : `<${arg.label.kind}>`}${arg.label.text}`,
    arg.type,
    arg.required ? "required" : "",
    arg.ref && `ref ${arg.ref}`,
    ...facts,
    arg.values.length > 0 ? `values ${arg.values.slice(0, 6).join(",")}` : "",
    arg.back ? `back ${arg.back.name || "top"}` : "",
    arg.open === undefined ? "" : `open ${arg.open}`,
    arg.raw === undefined ? "" : `raw ${arg.raw.replaceAll("\n", " ")}`,
  ];
  return "  ".repeat(arg.depth) + parts.filter(Boolean).join(" · ");
}

const drawn = (schema: string) => visibleRows(tree(schema), new Map(), rowStep).rows.map(line);

describe("the cases", () => {
  test.each<[string, string, string[]]>([
    [
      "1: anyOf at the root beside properties",
      oddSchemas.root_any_of as string,
      [
        "p · string · required",
        "<word>any of 2",
        "  <choice>1 · object · requires a",
        "  <choice>2 · object · requires b",
      ],
    ],
    [
      "1: nothing but anyOf at the root",
      oddSchemas.pure_any_of as string,
      [
        "<root> · any of 2",
        "<word>any of 2",
        "  <choice>1 · object",
        "    a · string",
        "  <choice>2 · object",
        "    b · number",
      ],
    ],
    [
      "2: if, then, else",
      oddSchemas.if_then as string,
      [
        "<word>all of 2",
        "  <part>1 · any",
        '    <word>condition · raw if {"properties":{"mode":{"const":"x"}}} then {"required":["y"]} else {"required":["z"]}',
        "  <part>2 · object · requires mode",
      ],
    ],
    [
      "3: true and false",
      oddSchemas.boolean_property as string,
      ["payload · any", "never · nothing allowed"],
    ],
    [
      "6: a reference that comes back",
      oddSchemas.recursive as string,
      ["root · object · ref n", "  children · array of n · back n"],
    ],
    ["6: an allOf that comes back", oddSchemas.all_of_cycle as string, ["a · any · ref a"]],
    [
      "8: types as lists",
      oddSchemas.type_lists as string,
      ["a · string | null", "b · array | null", "c · any"],
    ],
    [
      "10: enum, default, format, length",
      oddSchemas.details as string,
      ['mode · string · default "a" · format uri · length 2 … · values a,b'],
    ],
    ["11: a mixed enum", oddSchemas.mixed_enum as string, ['level · enum · values 0,2,4,null,true,"x"']],
    [
      "14: required names without a schema, and twice",
      oddSchemas.ghosts as string,
      ["a · string · required", "ghost · any · required · no schema for it"],
    ],
    [
      "22: exact numbers and duplicate keys",
      oddSchemas.exact as string,
      ["a · any · default 9007199254740993", "b · integer · written twice, the last counts"],
    ],
    [
      "a reference out of the document",
      oddSchemas.external as string,
      ["a · any · open https://example.com/a.json"],
    ],
    [
      "a reference out of the document, and what stands beside it",
      '{"type":"object","properties":{"a":{"$ref":"other.json","properties":{"b":{"type":"string"}}}}}',
      ["a · object · open other.json", "  b · string"],
    ],
    [
      "a reference beside an allOf of one",
      '{"type":"object","properties":{"a":{"$ref":"#/$defs/x","allOf":[{"required":["b"]}]}},"$defs":{"x":{"type":"object"}}}',
      ["a · object · ref x", "  <word>all of 1", "    <part>1 · object · requires b"],
    ],
    [
      "a tuple that takes no other items",
      '{"type":"object","properties":{"pair":{"type":"array","prefixItems":[{"type":"string"}],"items":false},"one":{"prefixItems":[{}],"unevaluatedItems":false},"none":{"type":"array","items":false}}}',
      [
        "pair · array",
        "  <word>item 1 · string",
        "  <word>other items · nothing allowed",
        "one · array",
        "  <word>item 1 · any",
        "  <word>other items · nothing allowed",
        "none · array of nothing allowed",
      ],
    ],
    [
      "what is said of the whole input",
      '{"type":"object","description":"One of both.","properties":{"a":{}}}',
      ["<root> · object", "a · any"],
    ],
    [
      "a keyword that is not drawn",
      oddSchemas.unknown_keyword as string,
      ['<keyword>dependentRequired · raw {"a":["b"]}'],
    ],
    [
      "patterns, tuples, constants, unions, recursion",
      oddSchemas.patterns as string,
      [
        "labels · object",
        "  <pattern>^x- · string · length 0 … 64",
        "  <word>other keys · number",
        "pair · array",
        "  <word>item 1 · string",
        "  <word>item 2 · number",
        "dry_run · constant · always true",
        "either · string | null",
        "filter · one of 2 · ref filter",
        '  <choice>1 · string · for example "amount > 10000"',
        "  <choice>2 · object",
        "    all · array of filter · required · back filter",
      ],
    ],
  ])("%s", (_, schema, rows) => {
    expect(drawn(schema)).toEqual(rows);
  });
});

test("an array of objects lends their arguments to its own row", () => {
  const schema =
    '{"type":"object","properties":{"options":{"type":"array","minItems":2,"maxItems":6,"items":{"type":"object","properties":{"label":{"type":"string"}},"required":["label"],"additionalProperties":false}}}}';
  expect(drawn(schema)).toEqual(["options · array of object · items 2 … 6", "  label · string · required"]);
  expect(visibleRows(tree(schema), new Map(), rowStep).rows[0]?.closed).toBe(true);
});

test("items that say more than their type get a row", () => {
  const schema =
    '{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string","pattern":"^a"}},"rows":{"type":"array","items":{"type":"array","items":{"type":"number"}}}}}';
  expect(drawn(schema)).toEqual([
    "ids · array of string",
    "  <word>each item · string · pattern ^a",
    "rows · array of array of number",
    "  <word>each item · array of number",
  ]);
});

test("11: 5,000 values are all there", () => {
  const [row] = visibleRows(tree(oddSchemas.long_enum as string), new Map(), rowStep).rows;
  expect(row?.values).toHaveLength(5000);
});

test("17: 1,000 levels are drawn a few at a time, and open one by one", () => {
  const start = performance.now();
  const deep = tree(oddSchemas.deep as string);
  const { rows } = visibleRows(deep, new Map(), rowStep);
  expect(rows.map((row) => row.label.text)).toEqual(["level_1", "level_2", "level_3"]);
  const open = new Map<string, boolean>();
  let last = rows;
  for (let n = 0; n < 100; n++) {
    open.set(last.at(-1)?.path ?? "", true);
    last = visibleRows(deep, open, rowStep).rows;
  }
  expect(last).toHaveLength(103);
  expect(visibleRows(deep, open, 50)).toMatchObject({ more: true });
  expect(performance.now() - start).toBeLessThan(5000);
});

test("18: 40 arguments in the order of the schema, three that differ by case only", () => {
  const names = visibleRows(tree(oddSchemas.wide as string), new Map(), rowStep).rows.map(
    (row) => row.label.text,
  );
  expect(names).toHaveLength(40);
  expect(names.slice(-3)).toEqual(["Same", "same", "SAME"]);
});

test("6: references are resolved at once", () => {
  const start = performance.now();
  drawn(oddSchemas.recursive as string);
  drawn(oddSchemas.all_of_cycle as string);
  expect(performance.now() - start).toBeLessThan(500);
});

describe("four states that are never mixed up", () => {
  test.each<[string, ReturnType<typeof known>, object]>([
    [
      "5: a boolean root",
      known(undefined, { schema_absent: "not_an_object", schema_bytes: 4 }),
      { state: "invalid" },
    ],
    ["5: a list where an object should be", known("[]"), { state: "invalid" }],
    ["5: text", known('"x"'), { state: "invalid" }],
    ["no JSON", known("{"), { state: "invalid" }],
    ["12: an object and nothing else", known(oddSchemas.nothing), { state: "none", closed: false }],
    ["12: closed", known(oddSchemas.closed), { state: "none", closed: true }],
    [
      "12: no arguments, with a word on that",
      known('{"type":"object","description":"Pass nothing."}'),
      { state: "none", closed: false, description: "Pass nothing." },
    ],
    [
      "21: too large",
      known(undefined, { schema_absent: "too_large", schema_bytes: 65_537 }),
      { state: "absent", reason: "too_large", bytes: 65_537 },
    ],
    [
      "21: the catalog is full",
      known(undefined, { schema_absent: "catalog_full", schema_bytes: 61_440 }),
      { state: "absent", reason: "catalog_full", bytes: 61_440 },
    ],
  ])("%s", (_, found, want) => {
    expect(found).toMatchObject(want);
  });

  test.each([
    '{"type":"object","not":{"required":["a"]}}',
    '{"type":"object","additionalProperties":{"type":"string"}}',
    '{"type":"object","minProperties":1}',
    '{"type":"object","x-vendor":1}',
    '{"type":"object","if":{},"then":{}}',
    '{"type":"string"}',
    '{"$ref":"#"}',
    '{"$ref":"https://example.com/x"}',
    '{"type":"object","enum":[{"a":1}]}',
    "{}",
  ])("a schema that says something is never called empty: %s", (schema) => {
    expect(known(schema).state).toBe("shown");
    expect(visibleRows(tree(schema), new Map(), rowStep).rows.length).toBeGreaterThan(0);
  });
});
