import { expect, it } from "vitest";
import type { event } from "../../backend/types";
import { words } from "../../words";
import { hindrance } from "./hindrance";

const of = (change: Partial<event.Session>) =>
  hindrance({ state: "ready", waiting: 0, ...change } as event.Session);

it("says why nothing can be sent", () => {
  expect(of({})).toBe("");
  expect(of({ state: "starting" })).toBe(words.composer.starting);
  expect(of({ state: "starting", reason: "The agent is still starting." })).toBe(
    "The agent is still starting.",
  );
  expect(of({ state: "working", waiting: 1 })).toBe(words.composer.waiting);
  expect(of({ state: "cancelling" })).toBe(words.composer.working);
  expect(of({ state: "failed", reason: "It ended." })).toBe("");
});
