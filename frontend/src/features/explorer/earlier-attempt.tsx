import type * as t from "../../backend/types";
import { SafeText } from "../../ui/safetext";
import { attemptLines } from "./attempt-lines";

/** What is kept of an attempt that was superseded: when it was, how it ended, its figures. */
export function EarlierAttempt({ attempt }: { attempt: t.Attempt }) {
  const lines = attemptLines(attempt);
  return (
    <span className="past">
      <span className="num">{lines.span}</span>
      <span className="faint">
        <SafeText text={lines.reason} />
      </span>
      <span className="faint num">{lines.figures}</span>
    </span>
  );
}
