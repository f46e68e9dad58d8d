// Characters that a reader cannot see or that change how others are read.

const ranges: readonly (readonly [number, number])[] = [
  [0x0000, 0x001f], // C0 controls, ESC among them
  [0x007f, 0x009f], // DEL and C1 controls
  [0x00ad, 0x00ad], // soft hyphen
  [0x034f, 0x034f], // combining grapheme joiner
  [0x061c, 0x061c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian separators
  [0x200b, 0x200f], // zero width, directional marks
  [0x2028, 0x202e], // line and paragraph separators, embeddings, overrides
  [0x2060, 0x206f], // joiner, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // lone surrogates
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // halfwidth Hangul filler
  [0xfff0, 0xfffb], // specials; U+FFFD itself is seen
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe0fff], // tags, more variation selectors
];

function isHidden(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  return ranges.some(([from, to]) => code >= from && code <= to);
}

/** So many different ones are named of one text. */
export const mostNamed = 8;

export type Part = string | { hidden: string };

/** Splits a text at its hidden characters. With `lines`, LF, CRLF and TAB stay part of the text. */
export function splitHidden(text: string, lines: boolean): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let at = 0;
  for (const character of text) {
    const next = at + character.length;
    const seen = (lines && isLayout(text, at)) || joinsEmoji(text, at) || choosesEmoji(text, at);
    if (isHidden(character.codePointAt(0) ?? 0) && !seen) {
      if (at > from) parts.push(text.slice(from, at));
      parts.push({ hidden: character });
      from = next;
    }
    at = next;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

// A zero width joiner between two pictures is part of one emoji.
function joinsEmoji(text: string, at: number): boolean {
  if (text[at] !== "\u200d") return false;
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  );
}

// The selector that says whether a character is drawn as a picture or as text, right behind it.
function choosesEmoji(text: string, at: number): boolean {
  if (text[at] !== "\ufe0e" && text[at] !== "\ufe0f") return false;
  return /\p{Emoji}$/u.test(text.slice(Math.max(0, at - 2), at));
}

function isLayout(text: string, at: number): boolean {
  const character = text[at];
  return character === "\n" || character === "\t" || (character === "\r" && text[at + 1] === "\n");
}

/** The different hidden characters of a text, at most eight. */
export function hiddenIn(text: string, lines: boolean): string[] {
  const found = new Set<string>();
  for (const part of splitHidden(text, lines)) if (typeof part !== "string") found.add(part.hidden);
  return [...found].slice(0, mostNamed);
}

/** A character as ⟨U+202E⟩. */
export function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${hex}⟩`;
}

/** The same marking for places that take only a plain string, such as a title attribute. */
export function plainMarked(text: string): string {
  return splitHidden(text, false)
    .map((part) => (typeof part === "string" ? part : codePoint(part.hidden)))
    .join("");
}
