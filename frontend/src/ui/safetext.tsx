import { Fragment } from "react";
import { codePoint, splitHidden } from "../lib/hidden";

export interface SafeTextProps {
  text: string;
  /** Line breaks and tabs are drawn as they are (descriptions); else they become chips too. */
  lines?: boolean;
}

/**
 * Foreign text as plain text: control, bidirectional and invisible characters are drawn as marked
 * code points. Never Markdown, HTML or links. Copying a chip copies its name, copying by a button
 * the real character.
 */
export function SafeText({ text, lines }: SafeTextProps) {
  const parts = splitHidden(text, lines ?? false);
  if (parts.length === 1 && typeof parts[0] === "string") return parts[0];
  let at = 0;
  return parts.map((part) => {
    const key = at++;
    return typeof part === "string" ? (
      <Fragment key={key}>{part}</Fragment>
    ) : (
      <span className="cp" key={key}>
        {codePoint(part.hidden)}
      </span>
    );
  });
}
