import { type FormEvent, useState } from "react";
import { plainMarked } from "../../lib/hidden";
import { sessionTitle } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { AskDialog } from "../../ui/ask-dialog";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";

/** Renames the session that the dialog is about. */
export function RenameSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.session.renameTitle}
      className="form-dialog"
    >
      <RenameForm onClose={onClose} />
    </Dialog>
  );
}

function RenameForm({ onClose }: { onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const [title, setTitle] = useState(sessionTitle(store.getState(), id));
  const { error, run } = useWork();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => backend.renameSession(id, title.trim()))) onClose();
  };
  return (
    <form onSubmit={submit} className="form-body">
      <div className="form">
        <label htmlFor="session-title">{words.session.title}</label>
        <Field
          id="session-title"
          value={title}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" disabled={title.trim() === ""}>
          {words.session.renameButton}
        </Button>
      </footer>
    </form>
  );
}

/** Asks once before a session is deleted. */
export function DeleteSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const title = useKandevState((state) => sessionTitle(state, state.subject)) || words.rail.missingTask;
  return (
    <AskDialog
      open={open}
      title={plainMarked(words.session.deleteTitle(title))}
      label={words.session.deleteButton}
      onYes={() => backend.deleteSession(id)}
      gone={() => !store.getState().sessions[id]}
      onClose={onClose}
    >
      <p className="form-text">{words.session.deleteText}</p>
    </AskDialog>
  );
}
