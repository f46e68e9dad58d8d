import { describe, expect, it } from "vitest";
import { caps, letter, matches } from "./keys";

const press = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  target: { tagName: "BODY" } as unknown as EventTarget,
  ...more,
});

describe("matches", () => {
  it("knows Mod on both kinds of keyboards", () => {
    expect(matches(press("Enter", { ctrlKey: true }), "Mod+Enter", false)).toBe(true);
    expect(matches(press("Enter", { metaKey: true }), "Mod+Enter", true)).toBe(true);
    expect(matches(press("Enter", { ctrlKey: true }), "Mod+Enter", true)).toBe(false);
    expect(matches(press("Enter"), "Mod+Enter", false)).toBe(false);
    expect(matches(press("M", { ctrlKey: true, shiftKey: true }), "Mod+Shift+M", false)).toBe(true);
    expect(matches(press("m", { ctrlKey: true }), "Mod+Shift+M", false)).toBe(false);
  });

  it("takes ? however it is typed", () => {
    expect(matches(press("?", { shiftKey: true }), "?", false)).toBe(true);
    expect(matches(press("?"), "?", false)).toBe(true);
  });

  it("does nothing while an input method is composing", () => {
    expect(matches(press("Enter", { isComposing: true, ctrlKey: true }), "Mod+Enter", false)).toBe(false);
    expect(matches(press("n", { keyCode: 229 }), "N", false)).toBe(false);
    expect(matches(press("Enter", { nativeEvent: { isComposing: true } }), "Enter", false)).toBe(false);
  });
});

describe("letter", () => {
  const field = (tagName: string, more = {}) => ({ target: { tagName, ...more } as unknown as EventTarget });

  it("acts outside text fields only", () => {
    expect(letter(press("n"), "N", false)).toBe(true);
    expect(letter(press("n", field("TEXTAREA")), "N", false)).toBe(false);
    expect(letter(press("n", field("INPUT", { type: "text" })), "N", false)).toBe(false);
    expect(letter(press("n", field("DIV", { isContentEditable: true })), "N", false)).toBe(false);
    expect(letter(press("n", field("INPUT", { type: "radio" })), "N", false)).toBe(true);
  });

  it("can be switched off and never takes a combination", () => {
    expect(letter(press("n"), "N", true)).toBe(false);
    expect(letter(press("n", { ctrlKey: true }), "N", false)).toBe(false);
    expect(letter(press("n", { altKey: true }), "N", false)).toBe(false);
  });
});

it("writes key caps of both kinds", () => {
  expect(caps("Mod+Shift+M", false)).toEqual(["Ctrl", "Shift", "M"]);
  expect(caps("Mod+Enter", true)).toEqual(["⌘", "↵"]);
});
