import { expect, test } from "vitest";
import { printed } from "./terminal-text";

test.each([
  ["plain\n", "plain\n"],
  ["\x1b[32mok\x1b[0m  \x1b[1;38;5;208mpkg\x1b[K", "ok  pkg"],
  ["\x1b]0;title\x07text\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "textlink"],
  ["\x1b[?25l\x1b[2J\x1b[H\x1b(Bhome\x1b7\x1b=\x1bM", "home"],
  ["\x9b31mred\x9d0;t\x9c", "red"],
  ["a\r\nb\r\r\nc", "a\nb\nc"],
  ["10 %\r50 %\rdone", "10 %\n50 %\ndone"],
  // Nothing that is no sequence goes: it is marked where it is shown.
  ["\x1b[8mhidden\x1b[28m", "hidden"],
  ["\x1b]0;never ended\nnext line", "\x1b]0;never ended\nnext line"],
  ["\x1b]0;one\ntwo\x07three", "\x1b]0;one\ntwo\x07three"],
  ["x\bx \x1b", "x\bx \x1b"],
  ["\u202eabc", "\u202eabc"],
])("%j", (raw, shown) => {
  expect(printed(raw)).toBe(shown);
});

test("a long hostile text costs no time", () => {
  const before = performance.now();
  printed("\x1b]".repeat(30_000));
  printed(`\x1b[${"1;".repeat(30_000)}`);
  expect(performance.now() - before).toBeLessThan(2000);
});
