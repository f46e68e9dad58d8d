import { useCallback, useState } from "react";
import { words } from "../words";
import { Button } from "./button";
import { SafeText } from "./safetext";
import { useEscape } from "./use-escape";

export interface Asking {
  asking: boolean;
  /** It was kept: what asked is there again and takes the focus. */
  kept: boolean;
  ask: () => void;
  keep: () => void;
  /** It is done, or done elsewhere: nothing is asked any more. */
  end: () => void;
}

/** Whether a question stands in the place of what asks it. */
export function useAsking(): Asking {
  const [state, setState] = useState<"rest" | "asking" | "kept">("rest");
  const ask = useCallback(() => setState("asking"), []);
  const keep = useCallback(() => setState("kept"), []);
  const end = useCallback(() => setState("rest"), []);
  return { asking: state === "asking", kept: state === "kept", ask, keep, end };
}

export interface AskOnceProps {
  text: string;
  /** What the button does that goes on with it. */
  label: string;
  onYes: () => void;
  onKeep: () => void;
}

/** Asks, in a row, before something goes for good. The focus is on keeping it, and so is Esc. */
export function AskOnce({ text, label, onYes, onKeep }: AskOnceProps) {
  const place = useEscape<HTMLDivElement>(onKeep);
  return (
    <div ref={place} className="ask-once">
      <span className="grow wrap">
        <SafeText text={text} />
      </span>
      <Button small onClick={onYes}>
        {label}
      </Button>
      <Button small kind="quiet" autoFocus onClick={onKeep}>
        {words.keep}
      </Button>
    </div>
  );
}
