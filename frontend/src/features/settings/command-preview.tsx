import { useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { CommandCheck } from "../../backend/types";
import { useKandev } from "../../state/use";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { pageWords } from "./words";

/** Milliseconds without a key before the line is looked at. */
const rest = 200;

/** What the app makes of a command line; null while it is empty or not looked at yet. */
export function useCommandCheck(line: string): CommandCheck | null {
  const { backend } = useKandev();
  const [check, setCheck] = useState<CommandCheck | null>(null);
  useEffect(() => {
    let over = false;
    const put = (next: CommandCheck | null) => !over && setCheck(next);
    if (line.trim() === "") {
      put(null);
      return;
    }
    const timer = setTimeout(() => {
      backend.checkCommand(line).then(put, (thrown) => put({ words: [], path: "", why: sentence(thrown) }));
    }, rest);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [backend, line]);
  return check;
}

/** A command line as it was taken apart, word by word, and whether its program is here. */
export function CommandPreview({ check }: { check: CommandCheck | null }) {
  if (!check) return <p className="faint small">{pageWords.custom.lineHint}</p>;
  return (
    <div className="set-check small" role="status">
      {check.words.length > 0 && (
        <ol className="set-words" aria-label={pageWords.custom.words}>
          {check.words.map((word, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is taken apart as a whole.
            <li key={n} className="ic mono">
              {word === "" ? (
                <span className="faint">{pageWords.custom.emptyWord}</span>
              ) : (
                <SafeText text={word} />
              )}
            </li>
          ))}
        </ol>
      )}
      <p className="row">
        <StatusShape shape={check.path ? "done" : "unknown"} tone="idle" />
        <span className="wrap">
          <SafeText text={check.path ? pageWords.custom.found(check.path) : check.why} />
        </span>
      </p>
    </div>
  );
}
