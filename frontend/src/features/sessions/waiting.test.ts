import { expect, it } from "vitest";
import type { event } from "../../backend/types";
import * as reduce from "../../state/reduce";
import { session, snapshot, event as told } from "../../state/sample";
import { waiting } from "../../state/select";
import { emptyState } from "../../state/store";
import { sessionStatus } from "../../ui/status";

it("111: who waits for the person is said by the sessions alone, whatever lies over them", () => {
  const rows = [session("s_1", { seq: 1 }), session("s_2", { seq: 2, project: "p_2" })];
  let state = reduce.open(reduce.applySnapshot(emptyState, snapshot(3, { sessions: rows })), "s_1");
  state = { ...state, explorer: true };
  const hear = (n: number, change: Partial<event.Session>) => {
    state = reduce.applyEvent(state, told(n, { session: session("s_1", change) }));
    const one = state.sessions.s_1 as event.Session;
    return [waiting(state.sessions).map((s) => s.id), sessionStatus(one).word];
  };
  expect(hear(4, { state: "working" })).toEqual([[], "Working"]);
  expect(hear(5, { state: "working", waiting: 1 })).toEqual([["s_1"], "Waits for you"]);
  expect(hear(6, { state: "ready", waiting: 0 })).toEqual([[], "Ready"]);
  expect(hear(7, { state: "ready", waiting: 1, archived: true })[0]).toEqual([]);
});
