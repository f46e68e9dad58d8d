import { expect, test } from "vitest";
import type * as t from "../../backend/types";
import { CatalogIndex, SchemaIndex } from "./index-cache";
import { firstView, keepOrder, type ListView, listTools, marked, sourcesOf } from "./list";
import { fullCatalog, oddCatalog, sampleEntry } from "./sample";

const agent: t.AgentNames = {
  id: "none",
  name: "Agent",
  form: "{tool}",
  limit: 0,
  defers: false,
  keeps_list: false,
  client: { rewrite_keys: [] },
};

const entries = [
  sampleEntry({ served: "a_kandev", mark: "unknown", estimate: 10, description: "Opens a door." }),
  sampleEntry({ served: "b_kandev", estimate: 30, canonical: "b_canonical", mark: "new" }),
  sampleEntry({ served: "kandev_p_c", source: "plugin", plugin: "p", description_cut: true }),
  sampleEntry({
    served: "kandev_q_d",
    source: "plugin",
    plugin: "q",
    original: "D-Tool",
    estimate: 30,
    input_schema: '{"type":"object","properties":{"o":{"type":"object","properties":{"Branches":true}}}}',
  }),
];
const uses = [
  { tool: "b_canonical", calls: 2, errors: 0, last: 1 },
  { tool: "a_kandev", calls: 5, errors: 1, last: 2 },
];
const index = new CatalogIndex(new SchemaIndex(), uses, agent, "kandev");
const names = (change: Partial<ListView>) =>
  listTools(entries, { ...firstView, ...change }, index).map((hit) => hit.entry.served);

test.each<[string, Partial<ListView>, string[]]>([
  ["tokens, the unknown last", {}, ["b_kandev", "kandev_q_d", "a_kandev", "kandev_p_c"]],
  ["names", { sort: "name" }, ["a_kandev", "b_kandev", "kandev_p_c", "kandev_q_d"]],
  ["calls by canonical name", { sort: "calls" }, ["a_kandev", "b_kandev", "kandev_p_c", "kandev_q_d"]],
  ["built-in ones", { source: "builtin" }, ["b_kandev", "a_kandev"]],
  ["of a plugin", { source: "plugin:q" }, ["kandev_q_d"]],
  ["called", { show: "called" }, ["b_kandev", "a_kandev"]],
  ["never called", { show: "never" }, ["kandev_q_d", "kandev_p_c"]],
  ["truncated", { show: "cut" }, ["kandev_p_c"]],
  ["new or changed", { show: "marked" }, ["b_kandev"]],
  ["with warnings", { show: "warnings" }, ["kandev_q_d"]],
  ["a word of the name", { query: "KANDEV_Q" }, ["kandev_q_d"]],
  ["a word of the canonical name", { query: "canonical" }, ["b_kandev"]],
  ["a word of the plugin's own name", { query: "d-tool" }, ["kandev_q_d"]],
  ["a word of the description", { query: "door" }, ["a_kandev"]],
  ["an argument in the depth", { query: "branch" }, ["kandev_q_d"]],
  ["all words", { query: "kandev branch" }, ["kandev_q_d"]],
  ["nothing", { query: "webhok" }, []],
])("lists %s", (_, change, want) => {
  expect(names(change)).toEqual(want);
});

test("says which argument matched, and which words when they are out of sight", () => {
  expect(listTools(entries, { ...firstView, query: "branch" }, index)[0]?.argument).toBe("Branches");
  const long = [sampleEntry({ served: "x", description: `${"word ".repeat(20)}needle in hay` })];
  expect(listTools(long, { ...firstView, query: "needle" }, index)[0]?.description).toMatch(/^word.*needle/);
});

test("28: two tools with one name have two keys", () => {
  const twins = listTools(oddCatalog().entries, { ...firstView, query: "twin" }, index);
  expect(new Set(twins.map((hit) => hit.key)).size).toBe(2);
});

test("rows stay where they are, new ones come at the end", () => {
  const before = listTools(entries, firstView, index).map((hit) => hit.key);
  const busy = new CatalogIndex(
    new SchemaIndex(),
    [{ tool: "kandev_p_c", calls: 9, errors: 0, last: 3 }],
    agent,
    "k",
  );
  const after = listTools([...entries, sampleEntry({ served: "z" })], { ...firstView, sort: "calls" }, busy);
  expect(after[0]?.key).toBe("kandev_p_c");
  expect(keepOrder(after, before).map((hit) => hit.key)).toEqual([...before, "z"]);
  expect(keepOrder(after.slice(1), before).map((hit) => hit.key)).toEqual([...before.slice(0, 3), "z"]);
});

test("sources are named once, built-in first", () => {
  expect(sourcesOf(entries)).toEqual(["builtin", "plugin:p", "plugin:q"]);
});

test("marks what was searched for, whatever it is made of", () => {
  expect(marked("create_branch", ["branch"])).toEqual(["create_", "branch", ""]);
  expect(marked("a.b(c", [".b(", "zz"])).toEqual(["a", ".b(", "c"]);
  expect(marked("abc", [])).toEqual(["abc"]);
});

test("opening a full catalog reads no schema; searching all of it stays short", () => {
  const { entries: full } = fullCatalog();
  const bytes = full.reduce((sum, entry) => sum + entry.schema_bytes, 0);
  expect(bytes).toBeGreaterThan(480 * 1024);
  expect(bytes).toBeLessThanOrEqual(512 * 1024);
  const schemas = new SchemaIndex();
  const fresh = new CatalogIndex(schemas, [], agent, "kandev");
  listTools(full, firstView, fresh);
  expect(full.some((entry) => schemas.isKnown(entry))).toBe(false);
  const start = performance.now();
  expect(listTools(full, { ...firstView, query: "field_127_0" }, fresh)).toHaveLength(1);
  expect(performance.now() - start).toBeLessThan(3000);
});
