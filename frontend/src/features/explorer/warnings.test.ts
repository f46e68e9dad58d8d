import { expect, test } from "vitest";
import agents from "../../backend/golden/agents.json?raw";
import type * as t from "../../backend/types";
import { parseJson } from "../../lib/json";
import { lengthNote, modelName, pluginNamed } from "./names";
import { goneSince, offeredKey } from "./plugin-state";
import { oddSchemas, sampleEntry } from "./sample";
import { scanSchema } from "./schema-scan";
import { marksRow, ofPlugin, warningsOf } from "./warnings";
import { words } from "./words";

const plain = '{"type":"object","properties":{}}';
// As Go writes them: app/golden_test.go.
const known: t.AgentNames[] = JSON.parse(agents);
const agent = (id: string) => known.find((one) => one.id === id) as t.AgentNames;
const [toolbench, codex, gemini] = [agent("toolbench"), agent("codex"), agent("gemini")];

function found(agent: t.AgentNames, change: Partial<t.Entry>) {
  const entry = sampleEntry({ served: "x_kandev", input_schema: plain, ...change });
  const schema = entry.input_schema ? parseJson(entry.input_schema) : null;
  return warningsOf(entry, schema ? scanSchema(schema) : null, agent, "kandev");
}

const ids = (agent: t.AgentNames, change: Partial<t.Entry>) => found(agent, change).map((one) => one.id);
const schema = (name: string) => ({ input_schema: oddSchemas[name] });

test.each<[string, t.AgentNames, Partial<t.Entry>, string[]]>([
  ["nothing", codex, {}, []],
  ["root anyOf", codex, schema("root_any_of"), ["root-combinator"]],
  ["root allOf", toolbench, schema("if_then"), ["root-combinator", "no-properties"]],
  ["true and false", toolbench, schema("boolean_property"), ["boolean-schema"]],
  ["missing properties", toolbench, schema("nothing"), ["no-properties"]],
  ["external reference", toolbench, schema("external"), ["external-ref"]],
  ["type list", toolbench, schema("type_lists"), ["type-list"]],
  ["what Codex rewrites", codex, schema("details"), ["rewrites"]],
  ["a space in the name", codex, { served: "Get File" }, ["name-characters"]],
  ["a hidden character in the name", toolbench, { served: "a\u202eb" }, ["name-characters", "name-hidden"]],
  ["escapes in the description", toolbench, { description: "\u001b[2J\u202e" }, ["hidden"]],
  [
    "a hidden character in an argument",
    toolbench,
    { input_schema: '{"type":"object","properties":{"a":{"description":"x\\u200by"}}}' },
    ["hidden-arguments"],
  ],
  [
    "a hidden character in an argument's name",
    toolbench,
    { input_schema: '{"type":"object","properties":{"a\\u202eb":{"enum":[1]}}}' },
    ["hidden-arguments"],
  ],
  ["line breaks are no warning", toolbench, { description: "a\n\tb\r\nc" }, []],
  ["63 characters", gemini, { served: "n".repeat(52) }, []],
  ["64 characters", gemini, { served: "n".repeat(53) }, ["name-limit"]],
  ["no schema, no claim about it", codex, { input_schema: undefined, schema_absent: "too_large" }, []],
  ["a long name without a known limit", toolbench, { served: "n".repeat(65) }, ["name-limit"]],
])("warns of %s", (_, agent, change, want) => {
  expect(ids(agent, change)).toEqual(want);
});

test("what was measured names its version, the rest does not", () => {
  const source = (agent: t.AgentNames, change: Partial<t.Entry>) => found(agent, change)[0]?.source;
  expect(source(gemini, { served: "n".repeat(60) })).toBe("Measured with Gemini CLI 0.61.0");
  expect(source(codex, { served: "a b" })).toBe("Measured with Codex 0.166.0");
  expect(source(codex, schema("root_any_of"))).toBe(words.warn.general);
  expect(source(toolbench, schema("type_lists"))).toBe(words.warn.general);
  expect(source(gemini, schema("type_lists"))).toBe("Measured with Gemini CLI 0.61.0");
});

test("the hidden characters are named, at most eight, each once", () => {
  const [one] = found(toolbench, {
    description: `\u202e\u202e${"\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u2066"}`,
  });
  expect(one?.hidden.slice(0, 2)).toEqual(["\u202e", "\u200b"]);
  expect(one?.hidden).toHaveLength(8);
});

test("only what may do harm marks the row", () => {
  expect(marksRow(found(codex, schema("details")))).toBe(false);
  expect(marksRow(found(codex, schema("root_any_of")))).toBe(true);
});

test("the name that a model sees", () => {
  expect(modelName(codex, "kandev", "list_tasks_kandev")).toBe("mcp__kandev__list_tasks_kandev");
  expect(modelName({ ...codex, form: "{tool}_{server}" }, "kandev", "list_tasks")).toBe("list_tasks_kandev");
  expect(modelName({ ...codex, form: "{tool}" }, "kandev", "$&{server}")).toBe("$&{server}");
  expect(modelName({ ...codex, form: "" }, "kandev", "x")).toBeUndefined();
});

test("a name stands against the agent's limit, with what the agent does beyond it", () => {
  expect(lengthNote(codex, 39)).toBe("39 of 128 characters. Beyond that Codex cuts it and adds a hash.");
  expect(lengthNote(codex, 129)).toBe(
    "129 characters, limit 128. Beyond that Codex cuts it and adds a hash.",
  );
  expect(lengthNote({ ...codex, beyond: undefined }, 39)).toBe("39 of 128 characters");
  expect(lengthNote({ ...codex, limit: 0, beyond: undefined }, 1)).toBe("1 character");
});

test("one pass finds names at every depth, once each, and 1,000 levels are none too many", () => {
  const facts = scanSchema(parseJson(oddSchemas.patterns as string) as never);
  expect(facts.names).toEqual(["labels", "pair", "dry_run", "either", "filter", "all"]);
  expect(scanSchema(parseJson(oddSchemas.deep as string) as never).names).toHaveLength(1000);
});

test("a tool whose plugin is off or gone is marked while its list is live, and no other", () => {
  const plugins = (states: Record<string, string>) =>
    ({ plugins: Object.entries(states).map(([id, state]) => ({ id, state })) }) as unknown as t.Plugins;
  const tool = (plugin: string) =>
    sampleEntry({ served: `kandev_${plugin}_x`, source: "plugin", plugin, plugin_name: "Slugs" });
  const key = offeredKey(plugins({ on: "enabled", off: "disabled", fresh: "installed" }));
  const gone = goneSince(key, true);
  expect(["on", "off", "fresh", "other"].map((id) => gone(tool(id)))).toEqual(["", "off", "off", "removed"]);
  expect(gone(sampleEntry({ served: "x_kandev" }))).toBe("");
  expect(goneSince(key, false)(tool("off"))).toBe("");
  expect(goneSince(offeredKey(null), true)(tool("off"))).toBe("");
  expect(goneSince(offeredKey(plugins({})), true)(tool("off"))).toBe("removed");
  const list = ofPlugin(tool("off"), "off", codex);
  expect(marksRow(list)).toBe(true);
  expect(list[0]).toMatchObject({
    title: "Slugs (off) is switched off",
    text: words.warn.pluginGoneText("Codex"),
  });
  expect(ofPlugin(tool("off"), "", codex)).toEqual([]);
});

test("a plugin is named with its id: what it calls itself may be our own name", () => {
  const named = (plugin: string, name: string) =>
    pluginNamed(sampleEntry({ served: "x", source: "plugin", plugin, plugin_name: name }));
  expect(named("acme.x", "Kandev")).toBe("Kandev (acme.x)");
  expect(named("acme.x", "acme.x")).toBe("acme.x");
  expect(named("acme.x", "")).toBe("acme.x");
});
