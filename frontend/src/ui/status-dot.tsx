import { SafeText } from "./safetext";
import { type Shape, StatusShape, type Tone } from "./shape";

export interface Status {
  shape: Shape;
  tone: Tone;
  word: string;
}

/** A state: its shape and its word. `wordless` keeps the word for screen readers only. */
export function StatusDot({
  status,
  wordless,
  className,
}: {
  status: Status;
  wordless?: boolean;
  className?: string;
}) {
  const tone = status.tone === "warn" || status.tone === "bad" ? ` st-${status.tone}` : "";
  return (
    <span className={`st${tone}${className ? ` ${className}` : ""}`}>
      <StatusShape shape={status.shape} tone={status.tone} />
      <span className={wordless ? "sr" : undefined}>
        <SafeText text={status.word} />
      </span>
    </span>
  );
}
