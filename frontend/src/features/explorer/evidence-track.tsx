import { useCallback, useState } from "react";
import type { event } from "../../backend/types";
import { count } from "../../lib/format";
import { Icon } from "../../ui/icon";
import { useEscape } from "../../ui/use-escape";
import { lastStep, type Step, stepsOf } from "./evidence";
import { seconds } from "./status-word";
import { words } from "./words";

/** The six steps of evidence with their times; in a narrow place one line that opens them. */
export function EvidenceTrack({ server }: { server: event.Server }) {
  const [open, setOpen] = useState(false);
  const steps = stepsOf(server);
  const { step, seen } = lastStep(steps);
  const close = useCallback(() => setOpen(false), []);
  const place = useEscape<HTMLDivElement>(open ? close : null);
  return (
    <div ref={place} className="track-place">
      <button
        type="button"
        className="track-short"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onBlur={close}
      >
        <span className="sr">{words.evidence}</span>
        <Icon name={step ? "check" : "minus"} />
        <span>{step ? words.steps[step.name] : words.notSeen}</span>
        <span className="faint num">
          {step?.at !== undefined && seconds(step.at)}
          <span className="track-count">{words.ofSteps(count(seen))}</span>
        </span>
        <Icon name="down" />
      </button>
      <ol className={open ? "track is-open" : "track"} aria-label={words.evidence}>
        {steps.map((one) => (
          <StepItem key={one.name} step={one} />
        ))}
      </ol>
    </div>
  );
}

function timeText(step: Step): string {
  if (step.at !== undefined) return seconds(step.at);
  if (step.missing === "visible") return words.notVisible;
  return step.missing === "never" ? words.never : words.notSeen;
}

function StepItem({ step }: { step: Step }) {
  const on = step.at !== undefined;
  return (
    <li className={on ? "is-on" : step.cut ? "is-cut" : undefined}>
      {on ? <Icon name="check" /> : <span className="hole">{step.cut && <Icon name="x" />}</span>}
      <span className="track-word">{words.steps[step.name]}</span>
      <time className="num">{timeText(step)}</time>
    </li>
  );
}
