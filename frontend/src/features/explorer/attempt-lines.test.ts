import { expect, test } from "vitest";
import type * as t from "../../backend/types";
import { attemptLines } from "./attempt-lines";

const server = (change: Partial<t.event.Server>) =>
  ({ name: "kandev", source: "builtin", times: {}, ...change }) as t.event.Server;

const attempt = (change: Partial<t.Attempt>, ...servers: t.event.Server[]): t.Attempt => ({
  id: "a_1",
  reason: "new",
  started_at: Date.now() - 60_000,
  servers,
  ...change,
});

// Why an execution ends: backend/stop.go and backend/turn.go. Why an attempt starts, which ends the
// one before: backend/attach/history.go.
test.each([
  ["stopped", "The agent was stopped"],
  ["agent_ended", "The agent ended by itself"],
  ["start_failed", "The start failed"],
  ["no_answer_to_cancel", "The agent did not react to Stop"],
  ["superseded", "A new attempt took its place"],
  ["interrupted", "Kandev ended while it ran"],
  ["new", "A new session was started"],
  ["load", "The session was loaded again"],
  ["reset", "The context was reset"],
  ["restart", "The agent was restarted"],
  [undefined, "Why it ended is not known"],
  ["something newer", "something newer"],
])("says in words that an attempt ended for %s", (end_reason, want) => {
  expect(attemptLines(attempt({ end_reason })).reason).toBe(want);
});

test.each<[string, t.event.Server[], string]>([
  ["no list", [server({})], "no list served"],
  ["an empty list", [server({ tool_count: 0, tokens_total: 0 })], "0 tools, ~0 tokens"],
  ["no estimate", [server({ tool_count: 1 })], "1 tool, no estimate"],
  ["both", [server({ tool_count: 140, tokens_total: 18_420 })], "140 tools, ~18,420 tokens"],
  ["a person's server alone", [server({ source: "person", tool_count: 3 })], "no list served"],
])("has the figures of %s", (_, servers, want) => {
  expect(attemptLines(attempt({}, ...servers)).figures).toBe(want);
});
