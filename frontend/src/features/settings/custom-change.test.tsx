import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Agent, CommandCheck } from "../../backend/types";
import { CommandPreview } from "./command-preview";
import { changeOf, editOf } from "./custom-change";

const kept = {
  id: "custom_1",
  name: "Mine",
  custom: { line: 'node "my agent.mjs"', words: ["node", "my agent.mjs"], env: ["KEY"], bearer: "path" },
} as unknown as Agent;

it("begins a new agent with nothing and the usual way of the bearer", () => {
  expect(changeOf(editOf(null))).toEqual({ id: "", name: "", line: "", bearer: "header", env: [] });
});

it("keeps what is stored of an agent that is only renamed", () => {
  expect(changeOf({ ...editOf(kept), name: "Renamed" })).toEqual({
    id: "custom_1",
    name: "Renamed",
    line: 'node "my agent.mjs"',
    bearer: "path",
    env: [{ name: "KEY", value: "", keep: true }],
  });
});

it("falls back to the usual way when the stored one is not known", () => {
  const odd = { ...kept, custom: { ...kept.custom, bearer: "pigeon" } } as unknown as Agent;
  expect(editOf(odd).bearer).toBe("header");
});

it("sends a row with a value and no name, so that the app can say what is missing", () => {
  const edit = { ...editOf(null), env: [{ key: 1, name: "", value: "v", keep: false }] };
  expect(changeOf(edit).env).toEqual([{ name: "", value: "v", keep: false }]);
});

const html = (check: CommandCheck | null) => renderToStaticMarkup(<CommandPreview check={check} />);

it("shows a line back as it was taken apart, hidden characters too", () => {
  const shown = html({ words: ["node", "a b", "", "<b>\u202ex"], path: "/usr/bin/node", why: "" });
  expect(shown.match(/<li/g)).toHaveLength(4);
  expect(shown).toContain("a b");
  expect(shown).toContain("empty");
  expect(shown).toContain("&lt;b&gt;");
  expect(shown).toContain("⟨U+202E⟩");
  expect(shown).toContain("Found at /usr/bin/node");
});

it("says why a program is not there, and what the field takes while it is empty", () => {
  expect(html({ words: ["x"], path: "", why: "x does not exist." })).toContain("x does not exist.");
  expect(html({ words: [], path: "", why: "It has a quote that is not closed." })).not.toContain("<ol");
  expect(html(null)).toContain("no shell reads it");
});
