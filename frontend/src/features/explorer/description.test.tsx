import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type * as t from "../../backend/types";
import { Description } from "./description";
import { sampleEntry } from "./sample";
import { words } from "./words";

const html = (change: Partial<t.Entry>) =>
  renderToStaticMarkup(<Description entry={sampleEntry({ served: "a_kandev", ...change })} />);

test.each<[string, Partial<t.Entry>, string]>([
  ["missing", {}, words.noDescription],
  ["empty", { description: "", has_description: true }, words.noDescription],
  ["only blanks", { description: " \n\t ", has_description: true }, words.blankDescription],
])("38: a description that is %s says so", (_, change, want) => {
  const out = html(change);
  expect(out).toContain(want);
  expect(out).not.toContain('class="desc"');
});

test("36, 38: one that was cut is marked as cut, with its size, and ends with an ellipsis", () => {
  const cut = html({ description: "x".repeat(1024), description_cut: true });
  expect(cut).toContain(`${"x".repeat(1024)}…`);
  expect(cut).toContain(words.descriptionCut);
  expect(cut).toContain(words.bytesOf("1,024"));
  const whole = html({ description: "x".repeat(1024) });
  expect(whole).not.toContain("…");
  expect(whole).not.toContain(words.descriptionCut);
});
