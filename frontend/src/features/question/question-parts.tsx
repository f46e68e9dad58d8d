import type { Answer, Question, QuestionPart } from "../../backend/types";
import { count } from "../../lib/format";
import type { AnswerDraft as Draft } from "../../state/store";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";

const empty: Draft = { chosen: [], text: "" };

/** Reports whether every question has a choice or a text. */
export function complete(parts: QuestionPart[], drafts: Record<string, Draft>): boolean {
  return parts.every((part) => {
    const draft = drafts[part.id] ?? empty;
    return draft.chosen.length > 0 || draft.text.trim() !== "";
  });
}

/** The answers in the order of the questions. */
export function answersOf(parts: QuestionPart[], drafts: Record<string, Draft>): Answer[] {
  return parts.map((part) => {
    const draft = drafts[part.id] ?? empty;
    const text = draft.text.trim();
    return { question: part.id, chosen: draft.chosen, ...(text ? { text } : {}) };
  });
}

/** Choosing one of several lets go of the text; a text lets go of a single choice. */
export function choose(part: QuestionPart, draft: Draft, label: string): Draft {
  if (!part.multiple) return { chosen: [label], text: "" };
  const has = draft.chosen.includes(label);
  const chosen = has ? draft.chosen.filter((c) => c !== label) : [...draft.chosen, label];
  return { ...draft, chosen };
}

export function write(part: QuestionPart, draft: Draft, text: string): Draft {
  return { text, chosen: part.multiple || text === "" ? draft.chosen : [] };
}

/** What one question asks: the agent's heading over it, where there is one. */
export function PartText({ part }: { part: QuestionPart }) {
  return (
    <span className="q-asked">
      {part.title && (
        <span className="strong">
          <SafeText text={part.title} />
        </span>
      )}
      <span>
        <SafeText text={part.prompt} lines />
      </span>
    </span>
  );
}

export interface PartsProps {
  question: Question;
  drafts: Record<string, Draft>;
  onChange: (drafts: Record<string, Draft>) => void;
}

/** The questions of a bundle: radios, checkboxes and text fields, all native, so the keys are the usual ones. */
export function Parts({ question, drafts, onChange }: PartsProps) {
  return question.questions.map((part, n) => {
    const draft = drafts[part.id] ?? empty;
    const set = (next: Draft) => onChange({ ...drafts, [part.id]: next });
    const name = `${question.id}/${part.id}`;
    return (
      <fieldset key={part.id} className="q">
        <legend>
          {question.questions.length > 1 && <span className="q-n num">{count(n + 1)}</span>}
          <PartText part={part} />
          {part.multiple && <span className="faint small">{words.question.any}</span>}
        </legend>
        {part.options.map((option) => (
          <label key={option.label} className="opt">
            <input
              type={part.multiple ? "checkbox" : "radio"}
              className={part.multiple ? "box" : "disc"}
              name={name}
              checked={draft.chosen.includes(option.label)}
              onChange={() => set(choose(part, draft, option.label))}
            />
            <span className="opt-label">
              <SafeText text={option.label} />
            </span>
            <span className="opt-note">
              <SafeText text={option.description ?? ""} />
            </span>
          </label>
        ))}
        <Field
          className="q-text"
          aria-label={part.options.length > 0 ? words.question.other : words.question.text}
          placeholder={part.options.length > 0 ? words.question.other : words.question.text}
          value={draft.text}
          onChange={(event) => set(write(part, draft, event.target.value))}
          onKeyDown={(event) => {
            // Enter in a field would send the whole form; only Ctrl+Enter does.
            if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
          }}
        />
      </fieldset>
    );
  });
}
