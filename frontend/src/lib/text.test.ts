import { describe, expect, it } from "vitest";
import { diff } from "./diff";
import { codePoint, hiddenIn, plainMarked, splitHidden } from "./hidden";
import { isOurs, toolName } from "./tool-name";

describe("splitHidden", () => {
  // Case 33.
  it("marks control, bidirectional and invisible characters", () => {
    expect(plainMarked("a\u202eb\u2066c\u200b\ufeff\u001b[0m\u00ad")).toBe(
      "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩⟨U+FEFF⟩⟨U+001B⟩[0m⟨U+00AD⟩",
    );
    expect(plainMarked("x\u{e0041}y\ud800z")).toBe("x⟨U+E0041⟩y⟨U+D800⟩z");
    expect(plainMarked("a\ufe00b\u{1d173}\u{1bca0}")).toBe("a⟨U+FE00⟩b⟨U+1D173⟩⟨U+1BCA0⟩");
    expect(plainMarked("👍\ufe0f\ufe0e\ufe01")).toBe("👍\ufe0f⟨U+FE0E⟩⟨U+FE01⟩");
  });

  it("leaves lines alone only where lines are drawn", () => {
    expect(splitHidden("a\n\tb\r\nc", true)).toEqual(["a\n\tb\r\nc"]);
    expect(plainMarked("a\nb")).toBe("a⟨U+000A⟩b");
    expect(splitHidden("a\rb", true)).toHaveLength(3);
  });

  it("leaves ordinary text of any script and emoji whole", () => {
    for (const text of ["", "héllo", "日本語", "שלום", "👩‍💻 👨🏽‍🚀 🏳️‍🌈", "1️⃣ ☎︎ ❤️", "�"])
      expect(splitHidden(text, false)).toEqual([text]);
  });

  it("names each once, at most eight", () => {
    expect(hiddenIn("a\u202eb\u202e\n", true)).toEqual(["\u202e"]);
    expect(hiddenIn("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u2066", false)).toHaveLength(8);
  });

  it("pads to four digits", () => {
    expect(codePoint("\u0007")).toBe("⟨U+0007⟩");
  });
});

describe("toolName", () => {
  it.each([
    ["list_tasks_kandev", "", "list_tasks", "_kandev"],
    ["kandev_argocd_sync", "kandev_argocd_", "sync", ""],
    ["kandev_argocd_sync_kandev", "kandev_argocd_", "sync_kandev", ""],
    ["mcp__kandev__list_tasks_kandev", "mcp__kandev__", "list_tasks", "_kandev"],
    ["list_tasks", "", "list_tasks", ""],
    ["_kandev", "", "_kandev", ""],
  ])("splits %s", (name, before, own, after) => {
    expect(toolName(name)).toEqual({ before, own, after });
  });

  it.each([
    ["kandev_task_tags_v1_add_tag", "add_tag", "kandev_task_tags_v1_", "add_tag"],
    ["kandev_acme_get_weather", "Get-Weather", "kandev_acme_", "get_weather"],
    [
      "kandev_acme_a_very_long_na_1a2b3c4d",
      "a-very-long-name-of-a-tool",
      "kandev_acme_",
      "a_very_long_na_1a2b3c4d",
    ],
    ["kandev_acme_sync", "other", "kandev_acme_", "sync"],
    ["kandev_hello", "hello", "", "kandev_hello"],
    ["list_tasks_kandev", "", "", "list_tasks"],
  ])("splits %s, which its plugin calls %s", (name, original, before, own) => {
    expect(toolName(name, original)).toMatchObject({ before, own });
  });

  it("knows ours", () => {
    expect(["list_tasks_kandev", "mcp__kandev__x", "kandev.list_tasks", "Bash"].map(isOurs)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("diff", () => {
  const show = (before: string | undefined, after: string) =>
    diff(before, after).rows.map(
      (row) => `${{ add: "+", del: "-", same: " ", gap: "~" }[row.kind]}${row.text}`,
    );

  it("finds what changed", () => {
    expect(show("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([" a", "-b", "+B", " c", "+d"]);
    expect(diff("a\nb\nc\n", "a\nB\nc\nd\n")).toMatchObject({ added: 2, removed: 1 });
  });

  it("counts a new file as added", () => {
    expect(show(undefined, "x\ny")).toEqual(["+x", "+y"]);
    expect(show("x", "")).toEqual(["-x"]);
    expect(show("same\n", "same\n")).toEqual([]);
  });

  it("leaves out what is far from a change", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `l${n}`);
    const rows = show(lines.join("\n"), lines.with(20, "X").join("\n"));
    expect(rows[0]).toBe(" l17");
    expect(rows).toHaveLength(8);
    expect(show(lines.join("\n"), lines.with(2, "X").with(30, "Y").join("\n"))).toContain("~⋯");
  });

  it("answers soon for two large texts", () => {
    const text = (n: number) => Array.from({ length: 20_000 }, (_, k) => `${n} ${k}`).join("\n");
    const start = performance.now();
    expect(diff(text(1), text(2)).added).toBe(20_000);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
