// Questions about text that the lexer leaves open: what an entity stands for, whether a link may be
// opened, and what is inside a fence.

const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  copy: "©",
};

/** Replaces character references by what they stand for. Unknown ones stay as written. */
export function entities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return named[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The link in a form that may be opened, or "": only http and https, without user or blanks. */
export function webLink(href: string): string {
  const wanted = href.trim();
  if (!/^https?:\/\//i.test(wanted) || /[\s\\\p{Cc}\p{Cf}]/u.test(wanted)) return "";
  try {
    const url = new URL(wanted);
    return url.username === "" && url.password === "" ? url.href : "";
  } catch {
    return "";
  }
}

/** A text that is one fenced block as a whole, without its fences: agents wrap a tool's output so. */
export function unfenced(text: string): string {
  const found = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return found && !found[2]?.includes(`\n${found[1]}`) ? (found[2] ?? "") : text;
}
