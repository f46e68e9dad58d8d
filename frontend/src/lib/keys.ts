// What keys mean. Nothing happens while an input method is composing, and single letters act
// only outside text fields.

interface KeyLike {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  isComposing?: boolean;
  keyCode?: number;
  nativeEvent?: { isComposing: boolean };
}

/** Reports whether an input method is composing: Enter then confirms a candidate. */
export function composing(event: KeyLike): boolean {
  return event.isComposing === true || event.nativeEvent?.isComposing === true || event.keyCode === 229;
}

/** Reports whether this machine's keyboards say ⌘. */
function isMac(): boolean {
  return typeof navigator !== "undefined" && /Mac/.test(navigator.platform ?? "");
}

/**
 * Reports whether an event is the combination, written like "Mod+Shift+M", "Mod+Enter", "N", "?".
 * Mod is Ctrl, on macOS ⌘. Shift counts only with letters and named keys: "?" is "?" however it is typed.
 */
export function matches(event: KeyLike, combination: string, mac = isMac()): boolean {
  if (composing(event)) return false;
  const parts = combination.split("+");
  const key = parts.pop() ?? "";
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  if (mod !== parts.includes("Mod") || other || event.altKey !== parts.includes("Alt")) return false;
  const shiftMatters = key.length > 1 || /[a-z]/i.test(key);
  if (shiftMatters && event.shiftKey !== parts.includes("Shift")) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}

/** Reports whether the focus is where letters are text: a field, a text area, an editable. */
export function inTextField(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean; type?: string } | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable) return true;
  if (element.tagName === "INPUT") return !["checkbox", "radio", "button"].includes(element.type ?? "text");
  return element.tagName === "TEXTAREA" || element.tagName === "SELECT";
}

/** Single-letter keys: outside text fields, and only while the person has not switched them off. */
export function letter(event: KeyLike & { target: EventTarget | null }, key: string, off: boolean): boolean {
  return !off && !inTextField(event.target) && matches(event, key);
}

const macCaps: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Enter: "↵" };
const otherCaps: Record<string, string> = { Mod: "Ctrl", Enter: "↵" };

/** The caps of a combination, in the order in which they are pressed. */
export function caps(combination: string, mac = isMac()): string[] {
  return combination.split("+").map((part) => (mac ? macCaps : otherCaps)[part] ?? part);
}
