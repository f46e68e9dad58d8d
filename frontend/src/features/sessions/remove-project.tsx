import { plural } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { isLive } from "../../ui/status";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";

/** Asks once before a project goes with its sessions; the focus is on keeping it. */
export function RemoveProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const name = useKandevState((state) => state.projects[state.subject]?.name ?? "");
  const sessions = useKandevState((state) => countOf(state.sessions, state.subject));
  const tasks = useKandevState((state) => countOf(state.tasks, state.subject));
  const running = useKandevState((state) => countOf(state.sessions, state.subject, isLive));
  const { busy, error, run } = useWork();
  const remove = async () => {
    // One that is gone all the same needs no word here.
    if ((await run(() => backend.removeProject(id))) || !store.getState().projects[id]) onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={plainMarked(words.project.removeTitle(name))}
      className="form-dialog"
      initialFocus={() => document.getElementById("keep-project")}
    >
      <p className="form-text">
        {words.project.removeText(`${plural(sessions, "session")} and ${plural(tasks, "task")}`)}
      </p>
      {running > 0 && (
        <p className="form-text">{words.project.stopFirst(plural(running, "running agent"))}</p>
      )}
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button id="keep-project" onClick={onClose}>
          {words.keep}
        </Button>
        <Button onClick={remove} disabled={running > 0}>
          {busy ? words.project.removing : words.project.removeShort}
        </Button>
      </footer>
    </Dialog>
  );
}

function countOf<T extends { project: string }>(
  rows: Record<string, T>,
  project: string,
  counts: (row: T) => boolean = () => true,
): number {
  return Object.values(rows).filter((row) => row.project === project && counts(row)).length;
}
