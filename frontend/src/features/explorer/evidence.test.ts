import { expect, test } from "vitest";
import type { event } from "../../backend/types";
import { lastSeen, lastStep, stepsOf } from "./evidence";
import { percentText } from "./figures";
import { seconds, statusWord } from "./status-word";

const at = new Date(2026, 8, 3, 9, 12, 7).getTime();

function server(change: Partial<event.Server>): event.Server {
  return {
    name: "kandev",
    source: "builtin",
    status: "active",
    stored: 0,
    truncated: false,
    tokens_cover: 0,
    counting: false,
    tools_changed: false,
    times: {},
    ...change,
  };
}

const missing = (one: event.Server) =>
  stepsOf(one).map((step) => (step.at ? "on" : (step.cut ? "cut " : "") + step.missing));

test.each<[string, Partial<event.Server>, string[]]>([
  [
    "ours, not listed",
    { times: { configured: at, delivered: at } },
    ["on", "on", "seen", "seen", "seen", "seen"],
  ],
  [
    "a person's own",
    { source: "person", status: "delivered", times: { configured: at, delivered: at, accepted: at } },
    ["on", "on", "on", "visible", "visible", "visible"],
  ],
  [
    "filtered",
    { source: "person", status: "filtered", times: { configured: at } },
    ["on", "cut never", "never", "never", "never", "never"],
  ],
  [
    "failed after it was accepted",
    { status: "failed", times: { configured: at, delivered: at, accepted: at } },
    ["on", "on", "on", "cut never", "never", "never"],
  ],
])("the steps of a server: %s", (_, change, want) => {
  expect(missing(server(change))).toEqual(want);
});

test("the last step and how many there are", () => {
  const steps = stepsOf(server({ times: { configured: 1, listed: 5 } }));
  expect(lastStep(steps)).toMatchObject({ step: { name: "listed" }, seen: 2 });
  expect(lastStep(stepsOf(server({})))).toEqual({ step: undefined, seen: 0 });
});

test("63, 65: a connection that ended has its time, and nothing is green after a restart", () => {
  const closed = server({ status: "disconnected", times: { connected: at, closed: at } });
  expect(statusWord(closed, true)).toContain("Disconnected ");
  expect(statusWord(server({ status: "active", times: { listed: at, used: at + 1 } }), false)).toContain(
    "Last observed ",
  );
  expect(statusWord(server({ status: "active" }), true)).toBe("Active");
  expect(lastSeen(server({ times: { listed: 3, used: 7 } }))).toBe(7);
});

test("a short reason stands beside the word, a long one does not", () => {
  const filtered = (summary: string) => statusWord(server({ status: "filtered", summary }), true);
  expect(filtered("Codex takes no SSE.")).toBe("Filtered: Codex takes no SSE");
  expect(filtered("x".repeat(200))).toBe("Filtered");
});

test("evidence has seconds today, and a day otherwise", () => {
  expect(seconds(at, at)).toBe("09:12:07");
  expect(seconds(at, at + 24 * 3_600_000)).toBe("3 Sept 09:12");
});

test.each([
  [0, "0"],
  [0.04, "< 0.1"],
  [9.21, "9.2"],
  [9.96, "10"],
  [17.6, "18"],
  [120, "120"],
])("a share of %f is written %s", (share, want) => {
  expect(percentText(share)).toBe(want);
});
