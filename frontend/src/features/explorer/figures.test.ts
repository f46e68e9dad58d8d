import { expect, test } from "vitest";
import golden from "../../backend/golden/agents.json?raw";
import type * as t from "../../backend/types";
import { deferral, percentText } from "./figures";
import { sampleEntry } from "./sample";
import { splitOf } from "./token-split";
import { words } from "./words";

// As Go writes them: app/golden_test.go.
const agents: t.AgentNames[] = JSON.parse(golden);

const parts = { name: 5, description: 20, input_schema: 60 };

test("an estimate divides into name, description, schema and the rest, as stored", () => {
  const split = splitOf(sampleEntry({ served: "x", estimate: 100, parts }));
  expect(split).toEqual([
    { name: "Name", tokens: 5 },
    { name: "Description", tokens: 20 },
    { name: "Schema", tokens: 60 },
    { name: "Rest", tokens: 15 },
  ]);
  expect(split.reduce((sum, part) => sum + part.tokens, 0)).toBe(100);
});

test("no estimate or no parts, no split; tokens that join two members make no negative rest", () => {
  expect(splitOf(sampleEntry({ served: "x", estimate: undefined, parts }))).toEqual([]);
  expect(splitOf(sampleEntry({ served: "x", estimate: 3, parts: undefined }))).toEqual([]);
  expect(splitOf(sampleEntry({ served: "x", estimate: 84, parts })).at(-1)?.tokens).toBe(0);
});

test.each([
  [0, "0"],
  [0.04, "< 0.1"],
  [0.44, "0.4"],
  [9.23, "9.2"],
  [9.96, "10"],
  [120.4, "120"],
  [12_345, "12,345"],
])("the share of a context window: %s is written %s", (percent, want) => {
  expect(percentText(percent)).toBe(want);
});

test("44: a figure is the size of definitions; what a client does with them is said beside it", () => {
  const agent = (id: string) => agents.find((one) => one.id === id) as t.AgentNames;
  expect(words.estimateHow).toMatch(/size of the definitions as served.*not what is in the context now/);
  expect(deferral(agent("toolbench"))).toEqual([]);
  const known = agents.filter((one) => one.defers);
  expect(known.length).toBeGreaterThan(0);
  for (const one of known) {
    const [how = "", measured] = deferral(one);
    expect(how).not.toBe("");
    expect(measured).toMatch(/^Measured with /);
  }
  const own = { ...agent("toolbench"), id: "own", name: "Mine", defers: true };
  expect(deferral(own)[0]).toBe(words.defers("Mine"));
});
