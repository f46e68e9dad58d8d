import { type Token, tokenize } from "./json";

export interface LinePart {
  kind: "key" | "value" | "sign";
  text: string;
}

/** One line of indented JSON. The indent is in steps, not characters. */
export interface Line {
  indent: number;
  parts: LinePart[];
}

/**
 * Indents a JSON text by its tokens alone: not a number, key, order or duplicate changes. null when
 * the text is no JSON; it is then shown as it is.
 */
export function formatJson(text: string): Line[] | null {
  const tokens = tokenize(text);
  if (!tokens) return null;
  const lines: Line[] = [];
  let line: Line = { indent: 0, parts: [] };
  let depth = 0;
  const feed = (indent: number) => {
    if (line.parts.length > 0) lines.push(line);
    line = { indent, parts: [] };
  };
  for (let n = 0; n < tokens.length; n++) {
    const token = tokens[n] as Token;
    const next = tokens[n + 1];
    const raw = text.slice(token.from, token.to);
    if (token.kind === "{" || token.kind === "[") {
      const closes = next?.kind === (token.kind === "{" ? "}" : "]");
      line.parts.push({ kind: "sign", text: closes ? raw + text.slice(next.from, next.to) : raw });
      if (closes) n++;
      else feed(++depth);
    } else if (token.kind === "}" || token.kind === "]") {
      feed(--depth);
      line.indent = Math.max(0, depth);
      line.parts.push({ kind: "sign", text: raw });
    } else if (token.kind === ",") {
      line.parts.push({ kind: "sign", text: raw });
      feed(depth);
    } else if (token.kind === ":") line.parts.push({ kind: "sign", text: ": " });
    else line.parts.push({ kind: next?.kind === ":" ? "key" : "value", text: raw });
  }
  feed(0);
  return lines;
}

/** The width of the widest line in characters. */
export function widest(lines: Line[], step: number): number {
  let most = 0;
  for (const line of lines) {
    const length = line.parts.reduce((sum, part) => sum + part.text.length, line.indent * step);
    if (length > most) most = length;
  }
  return most;
}
