import { type FormEvent, useState } from "react";
import type { Answer, Question } from "../../backend/types";
import { clock, clockAt, count } from "../../lib/format";
import { matches } from "../../lib/keys";
import * as actions from "../../state/actions";
import { agentNameOf } from "../../state/agent-name";
import { takesAnswer } from "../../state/select";
import { useCard, useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Failure } from "../../ui/failure";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { QuestionEnd } from "./question-end";
import { answersOf, complete, Parts } from "./question-parts";
import { RejectQuestion } from "./reject";

/** A bundle of questions in the conversation, in every state that it can have. */
export function QuestionCard({ id }: { id: string }) {
  const { retry } = useKandev();
  useCard("question", id);
  const question = useKandevState((state) => state.loadedQuestions[id]);
  const state = useKandevState((state) => state.questions[id]?.state);
  const agent = useKandevState((state) => agentNameOf(state, question?.session ?? ""));
  const error = useKandevState((state) => state.pullErrors[`question/${id}`]);
  if (!question) {
    return (
      <section className="ask" aria-busy={!error}>
        {error ? (
          <EmptyState
            shape={{ shape: "failed", tone: "bad" }}
            title={`${words.question.failed}.`}
            actions={<Button onClick={() => retry(`question/${id}`)}>{words.retry}</Button>}
          >
            <SafeText text={error} />
          </EmptyState>
        ) : (
          <p className="ask-head faint">{words.talk.loadingCard}</p>
        )}
      </section>
    );
  }
  // The stream may know of an end before its content was pulled.
  const now = state ?? question.state;
  return takesAnswer(now) && takesAnswer(question.state) ? (
    <OpenQuestion question={question} agent={agent} />
  ) : (
    <QuestionEnd question={question} agent={agent} />
  );
}

function title(question: Question, agent: string): string {
  const n = question.questions.length;
  return n === 1 ? words.question.asksOne(agent) : words.question.asks(agent, count(n));
}

const none = {};

function OpenQuestion({ question, agent }: { question: Question; agent: string }) {
  const { store, backend } = useKandev();
  // Kept while the card is out of sight: another session may be looked at before the answer is sent.
  const drafts = useKandevState((state) => state.answers[question.id]) ?? none;
  const { busy, error, setError, run } = useWork();
  const [rejecting, setRejecting] = useState(false);

  const end = (work: () => Promise<void>) =>
    run(async () => {
      await work();
      document.getElementById("composer")?.focus();
    });
  const send = () => {
    if (busy) return;
    if (!complete(question.questions, drafts)) return setError(words.question.missing);
    const answers: Answer[] = answersOf(question.questions, drafts);
    void end(() => backend.answer(question.id, answers));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const one = question.questions.length === 1;
  return (
    <section
      className="ask"
      data-open
      tabIndex={-1}
      aria-label={title(question, agent)}
      onKeyDown={(event) => {
        if (!matches(event, "Mod+Enter")) return;
        event.preventDefault();
        event.stopPropagation();
        send();
      }}
    >
      <header className="ask-head">
        <StatusShape shape="waiting" tone="warn" />
        <h3>
          <SafeText text={title(question, agent)} />
        </h3>
        <span className="ask-end faint tiny num">
          {words.question.since(clock(question.asked_at))}
          {question.deadline > 0 &&
            question.state === "open" &&
            question.deadline > Date.now() && // time asleep does not count: it may wait on
            words.question.until(clockAt(question.deadline))}
        </span>
      </header>
      {question.state === "detached" && <p className="soft">{words.question.detached}</p>}
      {question.context && (
        <p className="soft desc">
          <SafeText text={question.context} lines />
        </p>
      )}
      <form onSubmit={submit}>
        <Parts
          question={question}
          drafts={drafts}
          onChange={(next) => actions.setAnswers(store, question.id, next)}
        />
        <Failure text={error} />
        <footer className="ask-foot">
          <Button kind="primary" type="submit" disabled={busy}>
            {one ? words.question.sendOne : words.question.send}
          </Button>
          <Button disabled={busy} onClick={() => setRejecting(true)}>
            {words.question.reject}
          </Button>
          <span className="grow" />
          <span className="faint tiny ask-keys" aria-hidden="true">
            <Kbd keys="↑+↓" /> {words.question.move} <Kbd keys="Space" /> {words.question.choose}{" "}
            <Kbd keys="Mod+Enter" /> {words.question.sendKey}
          </span>
        </footer>
      </form>
      <RejectQuestion
        open={rejecting}
        onClose={() => setRejecting(false)}
        onReject={(reason) => {
          setRejecting(false);
          void end(() => backend.rejectQuestion(question.id, reason));
        }}
      />
    </section>
  );
}
