import { type FormEvent, useRef, useState } from "react";
import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";

/**
 * Adds a folder by its typed path or by the native dialog. With a project as the dialog's subject its
 * folder is chosen again.
 */
export function AddProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const moved = useKandevState((state) => state.projects[state.subject]);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={moved ? plainMarked(words.project.moveTitle(moved.name)) : words.project.addTitle}
      className="form-dialog"
    >
      <AddProjectForm moved={moved?.id ?? ""} onClose={onClose} />
    </Dialog>
  );
}

function AddProjectForm({ moved, onClose }: { moved: string; onClose: () => void }) {
  const { store, backend } = useKandev();
  const [path, setPath] = useState(store.getState().projects[moved]?.path ?? "");
  const { busy, error, setError, run } = useWork();
  const field = useRef<HTMLInputElement>(null);

  const add = (wanted: string) =>
    run(async () => {
      if (moved) await actions.moveProject(store, backend, moved, wanted);
      else await actions.addProject(store, backend, wanted);
      onClose();
    });
  const choose = () =>
    run(async () => {
      const chosen = await backend.chooseFolder();
      if (chosen) setPath(chosen);
      field.current?.focus();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = path.trim();
    if (wanted) void add(wanted);
    else setError(words.project.needPath);
  };
  return (
    <form onSubmit={submit} className="form-body">
      <div className="form">
        <label htmlFor="project-path">{words.project.path}</label>
        <div className="row">
          <Field
            ref={field}
            id="project-path"
            className="grow"
            value={path}
            placeholder={words.project.pathHint}
            onChange={(event) => setPath(event.target.value)}
          />
          <Button onClick={choose} disabled={busy}>
            {words.project.choose}
          </Button>
        </div>
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow faint small">{moved && words.project.moveText}</span>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {moved ? words.project.moveButton : words.project.addButton}
        </Button>
      </footer>
    </form>
  );
}
