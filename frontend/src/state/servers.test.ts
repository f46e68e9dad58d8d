import { expect, it } from "vitest";
import type * as t from "../backend/types";
import { wholeSummary } from "./servers";

const row = (name: string, change: Partial<t.event.Server> = {}): t.event.Server => ({
  name,
  source: "person",
  transport: "stdio",
  target: "npx",
  status: "delivered",
  stored: 0,
  truncated: false,
  tokens_cover: 0,
  counting: false,
  tools_changed: false,
  times: { configured: 1, delivered: 2, observed: 3 },
  ...change,
});

// What Go leaves of a row for which there is no room.
const bare = (name: string, status = "delivered"): t.event.Server =>
  row(name, { target: undefined, status, times: { delivered: 2 } });

const summary = (...servers: t.event.Server[]): t.event.Attachment => ({
  session: "s_1",
  attempt: "a_2",
  number: 2,
  live: false,
  catalog_rev: 1,
  servers,
});

const pulled = (...servers: t.event.Server[]) =>
  ({
    session: "s_1",
    attempts: [
      { id: "a_1", reason: "new", started_at: 1, servers: [row("old")] },
      { id: "a_2", reason: "new", started_at: 1, servers },
    ],
  }) as unknown as t.Attachment;

const long = "n".repeat(60);

it("puts the rows back that a summary had no room for", () => {
  const filtered = row("c", { status: "filtered", summary: "This agent takes no SSE." });
  const whole = wholeSummary(
    summary(row("a"), bare("b"), bare(`${long.slice(0, 40)}…`)),
    pulled(row("a"), row("b"), filtered, row(long)),
  );
  expect(whole.servers).toEqual([row("a"), row("b"), filtered, row(long)]);
});

it("takes what the summary says of a row for the newer, and only whole texts", () => {
  const said = "The agent refused the session: ".repeat(6);
  const known = row("a", { status: "failed", summary: said });
  const told = row("a", {
    status: "failed",
    summary: `${said.slice(0, 120)}…`,
    times: { configured: 1, failed: 9 },
  });
  expect(wholeSummary(summary(told), pulled(known)).servers).toEqual([{ ...told, summary: said }]);
  expect(wholeSummary(summary(bare("a", "failed")), pulled(row("a"))).servers).toEqual([
    row("a", { status: "failed" }),
  ]);
  const other = row("a", { status: "failed", summary: "Another…" });
  expect(wholeSummary(summary(other), pulled(known)).servers).toEqual([other]);
  expect(wholeSummary(summary(row("a"), row("new")), pulled(row("a"))).servers).toEqual([
    row("a"),
    row("new"),
  ]);
});

it("puts nothing back into a summary that left nothing out", () => {
  expect(wholeSummary(summary(row("a")), pulled(row("a"), row("gone"))).servers).toEqual([row("a")]);
});

it("is the summary alone while nothing of its attempt was pulled", () => {
  const told = summary(bare("b"));
  expect(wholeSummary(told, undefined)).toBe(told);
  expect(wholeSummary({ ...told, attempt: "a_3" }, pulled(row("b"))).servers).toEqual([bare("b")]);
});
