import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StatusDot } from "./status-dot";
import { ToolLabel } from "./tool-label";

// Cases 32 and 33: wherever a name is drawn, and in every part of it.
test.each([
  ["an own part", "kandev_odd_\u202ea"],
  ["a plugin's affix", "kandev_\u202eodd_a"],
  ["a client's affix", "mcp__\u202ex__a_kandev"],
])("a hidden character in %s of a tool's name is drawn", (_, name) => {
  const html = renderToStaticMarkup(<ToolLabel name={name} />);
  expect(html).toContain("⟨U+202E⟩");
  expect(html).not.toContain("\u202e");
});

test("a word that an agent chose is drawn as its names are", () => {
  const html = renderToStaticMarkup(
    <StatusDot status={{ shape: "done", tone: "idle", word: "Allow\u200b <b>" }} />,
  );
  expect(html).toContain("⟨U+200B⟩");
  expect(html).toContain("&lt;b&gt;");
});
