import { useState } from "react";
import type { Agent, ServerImport } from "../../backend/types";
import { count } from "../../lib/format";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { pageWords } from "./words";

// The dialog is open already: the form itself takes the focus.
const focus = (element: HTMLTextAreaElement | null) => element?.focus();

/** Takes servers over from the configuration of another product, and says what became of each. */
export function ImportServers({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { backend } = useKandev();
  const [text, setText] = useState("");
  const [found, setFound] = useState<ServerImport | null>(null);
  const { busy, error, run } = useWork();
  const read = () =>
    run(async () => {
      setFound(await backend.importServers(agent.id, text));
      setText("");
    });
  if (found) return <Report found={found} onClose={onClose} />;
  return (
    <form
      className="set-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") void read();
      }}
    >
      <h3>
        {pageWords.servers.importTitle}{" "}
        <span className="faint small">
          <SafeText text={agent.name} />
        </span>
      </h3>
      <p className="soft" id="import-hint">
        {pageWords.servers.importHint}
      </p>
      <textarea
        className="area mono"
        rows={10}
        ref={focus}
        spellCheck={false}
        aria-label={pageWords.servers.importLabel}
        aria-describedby="import-hint"
        placeholder='{ "mcpServers": { … } }'
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Failure text={error} />
      <div className="row set-actions">
        <Button kind="primary" type="submit" disabled={busy || text.trim() === ""}>
          {pageWords.servers.importButton}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  );
}

function Report({ found, onClose }: { found: ServerImport; onClose: () => void }) {
  const taken = found.servers.filter((server) => server.reason === "").length;
  return (
    <div className="set-form">
      <h3 role="status">{pageWords.servers.imported(count(taken), count(found.servers.length))}</h3>
      <ul className="set-servers">
        {found.servers.map((server) => (
          <li key={server.name} className="set-server set-report">
            <StatusShape shape={server.reason ? "failed" : "done"} tone={server.reason ? "bad" : "idle"} />
            <div className="grow">
              <p className="medium">
                <SafeText text={server.name} />
              </p>
              {[server.reason || pageWords.servers.taken, ...server.notes].map((line) => (
                <p key={line} className="soft small wrap">
                  <SafeText text={line} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {found.others.length > 0 && (
        <p className="faint small wrap">
          <SafeText text={pageWords.servers.others(found.others.join(", "))} />
        </p>
      )}
      <div className="row set-actions">
        <Button kind="primary" autoFocus onClick={onClose}>
          {pageWords.servers.done}
        </Button>
      </div>
    </div>
  );
}
