import type { Question } from "../../backend/types";
import { clock, count } from "../../lib/format";
import { SafeText } from "../../ui/safetext";
import type { Status } from "../../ui/status-dot";
import { StatusDot } from "../../ui/status-dot";
import { words } from "../../words";
import { PartText } from "./question-parts";

const states: Record<string, Omit<Status, "word">> = {
  answered: { shape: "done", tone: "idle" },
  rejected: { shape: "unavailable", tone: "idle" },
  cancelled: { shape: "stopped", tone: "idle" },
  expired: { shape: "last", tone: "idle" },
};

/** A bundle that waits no more: what was asked, how it ended and what was answered. */
export function QuestionEnd({ question, agent }: { question: Question; agent: string }) {
  const look = states[question.state] ?? { shape: "unknown", tone: "idle" };
  const word = words.question.states[question.state] ?? question.state;
  const n = question.questions.length;
  const head = n === 1 ? words.question.asksOne(agent) : words.question.asks(agent, count(n));
  return (
    <section className="ask is-ended" aria-label={`${head}: ${word}`}>
      <header className="ask-head">
        <StatusDot status={{ ...look, word }} />
        <span className="ask-end faint tiny num">{clock(question.ended_at)}</span>
      </header>
      {question.context && (
        <p className="soft desc">
          <SafeText text={question.context} lines />
        </p>
      )}
      <dl className="dl ask-answers">
        {question.questions.map((part) => {
          const answer = question.answers.find((a) => a.question === part.id);
          const said = [...(answer?.chosen ?? []), answer?.text ?? ""].filter(Boolean);
          return (
            <div key={part.id}>
              <dt>
                <PartText part={part} />
              </dt>
              <dd>{said.length > 0 ? <SafeText text={said.join(", ")} lines /> : "—"}</dd>
            </div>
          );
        })}
      </dl>
      {question.reason && (
        <p className="soft">
          <SafeText text={question.reason} lines />
        </p>
      )}
    </section>
  );
}
