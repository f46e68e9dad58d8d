import { useLayoutEffect, useRef, useState } from "react";
import { sentence } from "../../backend/error";
import type { event } from "../../backend/types";
import { matches } from "../../lib/keys";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { Kbd } from "../../ui/kbd";
import { loginWords } from "../../ui/login-words";
import { SafeText } from "../../ui/safetext";
import { sessionStatus } from "../../ui/status";
import { StatusDot } from "../../ui/status-dot";
import { words } from "../../words";
import { hindrance } from "./hindrance";
import { LoginAsk } from "./login-ask";
import "./composer.css";

export interface ComposerProps {
  session: event.Session;
  /** The agent has no model: a prompt is a call. */
  embedded: boolean;
}

/** Where a prompt is written. Ctrl+Enter sends, Enter is a new line. An unsent text is kept by session. */
export function Composer({ session, embedded }: ComposerProps) {
  const { store, backend } = useKandev();
  const text = useKandevState((state) => state.drafts[session.id] ?? "");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const off = ["stopped", "failed", "interrupted"].includes(session.state);
  const why = hindrance(session);
  const ready = !busy && !off && why === "" && text.trim() !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  }, [text]);

  const send = async () => {
    if (!ready) return;
    setBusy(true);
    setError("");
    try {
      await backend.prompt(session.id, text);
      // What was typed while it was sent stays.
      if (store.getState().drafts[session.id] === text) actions.setDraft(store, session.id, "");
    } catch (thrown) {
      setError(words.composer.kept(sentence(thrown)));
    } finally {
      setBusy(false);
      area.current?.focus();
    }
  };
  return (
    <div className="composer-wrap">
      {session.archived && <Archived session={session} onError={setError} />}
      {off && <Ended session={session} onError={setError} />}
      {session.state === "starting" && session.login && <LoggingIn session={session} onError={setError} />}
      {off && session.login && <LoginAsk key={session.since} session={session} />}
      <Failure text={error} />
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          ref={area}
          id="composer"
          className="composer-text scroll"
          rows={1}
          dir="auto"
          spellCheck={!embedded}
          aria-label={words.composer.label}
          placeholder={embedded ? words.composer.benchHint : words.composer.hint}
          value={text}
          onChange={(event) => actions.setDraft(store, session.id, event.target.value)}
          onKeyDown={(event) => {
            if (!matches(event, "Mod+Enter")) return;
            event.preventDefault();
            void send();
          }}
        />
        <div className="composer-bar">
          <span className="grow faint small composer-hint">{why}</span>
          <Button type="submit" kind={ready ? "primary" : "plain"} disabled={!ready}>
            {embedded ? words.composer.call : words.composer.send}
            <Kbd keys="Mod+Enter" />
          </Button>
        </div>
      </form>
    </div>
  );
}

// The button that was pressed goes; the focus would go with it.
function focusComposer() {
  document.getElementById("composer")?.focus();
}

const ends: Record<string, string> = {
  stopped: words.composer.offStopped,
  failed: words.composer.offFailed,
  interrupted: words.composer.offInterrupted,
};

// No agent runs: why, and the way to start it again.
function Ended({ session, onError }: { session: event.Session; onError: (text: string) => void }) {
  const { backend } = useKandev();
  const start = () => {
    onError("");
    focusComposer();
    backend.startSession(session.id).catch((thrown) => onError(sentence(thrown)));
  };
  return (
    <div className="ended">
      <StatusDot status={sessionStatus(session)} wordless />
      <span className="grow wrap">
        <SafeText text={session.reason || ends[session.state] || ""} lines />
      </span>
      {!session.gone && (
        <Button icon="loop" onClick={start}>
          {words.session.start}
        </Button>
      )}
    </div>
  );
}

// The start carries a login out, which may take as long as the person does.
function LoggingIn({ session, onError }: { session: event.Session; onError: (text: string) => void }) {
  const { backend } = useKandev();
  const cancel = () => {
    onError("");
    focusComposer();
    backend.stopSession(session.id).catch((thrown) => onError(sentence(thrown)));
  };
  return (
    <div className="ended" role="status">
      <StatusDot status={sessionStatus(session)} wordless />
      <span className="grow wrap">{loginWords.running}</span>
      <Button icon="x" onClick={cancel}>
        {loginWords.cancel}
      </Button>
    </div>
  );
}

// An archived session can still be read, and brought back.
function Archived({ session, onError }: { session: event.Session; onError: (text: string) => void }) {
  const { backend } = useKandev();
  const back = () => {
    onError("");
    backend.archiveSession(session.id, false).catch((thrown) => onError(sentence(thrown)));
  };
  return (
    <div className="ended" role="status">
      <span className="grow">{words.session.archived}</span>
      <Button onClick={back}>{words.session.bringBack}</Button>
    </div>
  );
}
