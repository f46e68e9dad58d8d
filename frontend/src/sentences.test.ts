import { expect, it } from "vitest";

// RATIONALE.md, "Why five files of sentences?": no other file holds one. Fakes, samples and tests are
// not shown to anybody.
const files = import.meta.glob<string>("./**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" });
const other = /words\.ts$|\.test\.tsx?$|\/fake[^/]*\.ts$|\/sample\.ts$/;

// A literal or a text between tags that begins like a sentence and has three words.
const sentence = /(["'`])[A-Z][a-z]* [a-z]+ [^"'`\n]*[a-z][.!?]?\1|>\s*[A-Z][a-z]* [a-z]+ [a-z][^<{\n]*</g;

const code = (text: string) => text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");

it.each([
  ['throw new Error("The page runs outside.")', 1],
  ["<p>Nothing was delivered yet.</p>", 1],
  ["const a = `Reload the window`", 1],
  ['label: "Waits for you"', 1],
  ['className="btn btn-quiet plug"', 0],
  ['"Mod+Shift+M"', 0],
])("knows a sentence: %s", (line, found) => {
  expect(line.match(sentence) ?? []).toHaveLength(found);
});

it("stands in the files of sentences", () => {
  const left = Object.entries(files)
    .filter(([name]) => !other.test(name))
    .flatMap(([name, text]) => (code(text).match(sentence) ?? []).map((found) => `${name}: ${found}`));
  expect(left).toEqual(['./ui/status.ts: "Waits for you"']);
  expect(Object.keys(files).length).toBeGreaterThan(100);
});
