import { expect, it } from "vitest";
import type { event } from "../backend/types";
import { project, session } from "./sample";
import { deliveredCount, needsLook, projectList, rail } from "./select";

const server = (status: string, delivered?: number): event.Server =>
  ({ name: status, source: "person", status, times: delivered ? { delivered } : {} }) as event.Server;

const attachment = (...servers: event.Server[]): event.Attachment =>
  ({ session: "s_1", servers }) as event.Attachment;

it.each<[string, event.Server[], number, boolean]>([
  ["nothing", [], 0, false],
  ["what was not given", [server("unknown"), server("filtered"), server("unavailable")], 0, false],
  ["what was given", [server("delivered", 1), server("connected", 1), server("active", 1)], 3, false],
  ["one that failed before it was known to be given", [server("failed")], 1, true],
  ["one that failed", [server("active", 1), server("failed", 1)], 2, true],
  ["one that is disconnected", [server("disconnected", 1)], 1, true],
])("the plug counts the delivered servers and marks those that need a look: %s", (_, servers, n, look) => {
  expect(deliveredCount(attachment(...servers))).toBe(n);
  expect(needsLook(attachment(...servers))).toBe(look);
});

it("lists projects last used first, and a rail without what is archived", () => {
  const list = {
    a: project("a", { used_at: 1 }),
    b: project("b", { used_at: 3 }),
    c: project("c", { used_at: 3 }),
  };
  expect(projectList(list).map((p) => p.id)).toEqual(["b", "c", "a"]);
  const task = (id: string, change = {}) =>
    ({ id, project: "p_1", title: id, step: "plan", seq: 1, archived: false, ...change }) as event.Task;
  const tasks = { t_1: task("t_1"), t_2: task("t_2", { seq: 2 }), t_3: task("t_3", { archived: true }) };
  const sessions = {
    s_1: session("s_1", { task: "t_1" }),
    s_2: session("s_2", { task: "t_1", archived: true }),
  };
  const [plan, ...others] = rail(tasks, sessions, "p_1");
  expect(others).toEqual([]);
  expect(plan?.rows.map((row) => [row.task.id, row.sessions.map((s) => s.id)])).toEqual([
    ["t_2", []],
    ["t_1", ["s_1"]],
  ]);
});
