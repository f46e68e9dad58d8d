import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown";
import { entities, unfenced, webLink } from "./markdown-text";

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe("Markdown", () => {
  it("shows HTML as the text that it is", () => {
    const out = html(
      '<img src=x onerror=alert(1)>\n\nand <b>bold</b> <script>alert(1)</script>\n\n<iframe srcdoc="x">',
    );
    expect(out).not.toMatch(/<(img|b|script|iframe)[ >]/);
    expect(out).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(out).toContain("&lt;b&gt;");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>1</script>)",
    "[x](vscode://file/etc)",
    "[x](//evil.example)",
    "[x](file:///etc/passwd)",
    "[x](https://user:pass@evil.example)",
    "<javascript:alert(1)>",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "![x](javascript:alert(1))",
  ])("makes no link of %s", (text) => {
    const out = html(text);
    expect(out).not.toContain('role="link"');
    expect(out).not.toContain("href");
  });

  it("makes links that have no address of their own", () => {
    const out = html("[notes](https://example.com/a_(b)) and https://example.com/c");
    expect(out).toContain('role="link"');
    expect(out).toContain('title="https://example.com/a_(b)"');
    expect(out).not.toMatch(/<a[ >]|href/);
  });

  it("loads no picture", () => {
    expect(html("![alt](https://example.com/x.png)")).not.toMatch(/<img|src=/);
  });

  it("draws hidden characters", () => {
    expect(html("a\u202eb `c\u200bd`")).toMatch(/⟨U\+202E⟩.*⟨U\+200B⟩/s);
    expect(html("```\n\u001b[2J\n```")).toContain("⟨U+001B⟩");
  });

  it("keeps its blocks while a text grows", () => {
    for (const part of [
      "",
      "a",
      "a\n\n```go",
      "a\n\n```go\nx := 1",
      "| a |",
      "| a |\n|-",
      "- [ ] x",
      "1. a\n   - b",
    ])
      expect(() => html(part)).not.toThrow();
    expect(html("3. three")).toContain('start="3"');
  });

  it("shows the first part of a huge text, with a way to the rest", () => {
    const out = html(`${"word ".repeat(100_000)}`);
    expect(out.length).toBeLessThan(100_000);
    expect(out).toContain("Show the rest (430 KiB)");
  });

  it("is not stopped by 200 backticks or deep nesting", () => {
    expect(() => html("`".repeat(200))).not.toThrow();
    expect(() => html(">".repeat(300))).not.toThrow();
  });
});

describe("entities", () => {
  it("reads the usual ones and leaves the rest", () => {
    expect(entities("a &amp;&lt;b&gt; &#x2014; &#233; &nope; &#0; &#x110000;")).toBe(
      "a &<b> — é &nope; &#0; &#x110000;",
    );
  });
});

describe("webLink", () => {
  it("takes http and https only", () => {
    expect(webLink(" https://example.com/x ")).toBe("https://example.com/x");
    for (const bad of [
      "",
      "example.com",
      "ftp://x",
      "http://",
      "https://a b",
      "https://a\u202eb",
      "http:\\\\x",
    ])
      expect(webLink(bad)).toBe("");
  });
});

it("takes the fences off a text that is one block", () => {
  expect(unfenced('```json\n{"a": 1}\n```')).toBe('{"a": 1}');
  expect(unfenced("````\n```\nx\n```\n````\n")).toBe("```\nx\n```");
  for (const text of ["plain", "```\na\n```\nb\n```\nc\n```", "a\n```\nb\n```", "```"])
    expect(unfenced(text)).toBe(text);
});
