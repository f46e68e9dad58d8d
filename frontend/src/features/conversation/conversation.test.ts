import { expect, test } from "vitest";
import type { Item } from "../../backend/types";
import { withoutReason } from "./conversation";

const item = (kind: string, text: string) => ({ kind, text }) as Item;
const prompt = item("prompt", "hello");
const wanted = item("notice", "The agent wants you to log in first.");
const output = item("notice", "Its last output:\nx");

test.each([
  ["as the last notice", [prompt, wanted], wanted.text, [prompt]],
  ["before what the agent wrote last", [prompt, wanted, output], wanted.text, [prompt, output]],
  ["only that of this end", [wanted, prompt, wanted], wanted.text, [wanted, prompt]],
  ["not that of an end before", [wanted, prompt], wanted.text, [wanted, prompt]],
  ["not while the agent runs", [prompt, wanted], "", [prompt, wanted]],
])("the reason that the composer shows is left out: %s", (_, items, reason, want) => {
  expect(withoutReason(items, reason ?? "")).toEqual(want);
});
