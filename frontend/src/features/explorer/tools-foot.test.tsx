import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type * as t from "../../backend/types";
import { sampleEntry } from "./sample";
import { ToolsFoot } from "./tools-foot";

const catalog = (change: Partial<t.Catalog>): t.Catalog =>
  ({
    entries: [sampleEntry({ served: "a_kandev" })],
    total: 1,
    unnamed: 0,
    truncated: false,
    tokens_cover: 1,
    compared: true,
    ...change,
  }) as t.Catalog;

const html = (change: Partial<t.Catalog>, other = 0, uses: t.Use[] = []) =>
  renderToStaticMarkup(
    <ToolsFoot catalog={catalog(change)} uses={uses} otherCalls={other} earlier={false} />,
  );

test("tools without a name are counted apart from those that are not stored", () => {
  expect(html({ total: 13, unnamed: 3, truncated: true })).toContain("12 more were served.");
  expect(html({ total: 13, unnamed: 3, truncated: true })).toContain("3 without a name were served");
  expect(html({ unnamed: 3 })).not.toContain("more");
  expect(html({})).toBe("");
});

test("what a later list brought is said to be not compared", () => {
  const entries = [
    sampleEntry({ served: "a_kandev", mark: "new" }),
    sampleEntry({ served: "b_kandev", mark: "unknown" }),
  ];
  expect(html({ entries, total: 2 })).toContain("only that list was compared");
  expect(html({ entries: entries.slice(0, 1) })).toBe("");
});

test("calls of what is not in the list are counted together, also of tools that left it", () => {
  const use = (tool: string, calls: number) => ({ tool, calls, errors: 0, last: 1 }) as t.Use;
  expect(html({}, 0, [use("a_kandev", 5)])).toBe("");
  expect(html({}, 0, [use("a_kandev", 5), use("gone_kandev", 1)])).toContain("1 call went to a name");
  expect(html({}, 2, [use("gone_kandev", 3)])).toContain("5 calls went to names");
});
