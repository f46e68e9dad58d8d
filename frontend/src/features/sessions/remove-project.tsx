import { plural } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { useKandev, useKandevState } from "../../state/use";
import { AskDialog } from "../../ui/ask-dialog";
import { isLive } from "../../ui/status";
import { words } from "../../words";

/** Asks once before a project goes with its sessions. */
export function RemoveProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const name = useKandevState((state) => state.projects[state.subject]?.name ?? "");
  const sessions = useKandevState((state) => countOf(state.sessions, state.subject));
  const tasks = useKandevState((state) => countOf(state.tasks, state.subject));
  const running = useKandevState((state) => countOf(state.sessions, state.subject, isLive));
  return (
    <AskDialog
      open={open}
      title={plainMarked(words.project.removeTitle(name))}
      label={words.project.removeShort}
      doing={words.project.removing}
      disabled={running > 0}
      onYes={() => backend.removeProject(id)}
      gone={() => !store.getState().projects[id]}
      onClose={onClose}
    >
      <p className="form-text">
        {words.project.removeText(plural(sessions, "session"), plural(tasks, "task"))}
      </p>
      {running > 0 && (
        <p className="form-text">{words.project.stopFirst(plural(running, "running agent"))}</p>
      )}
    </AskDialog>
  );
}

function countOf<T extends { project: string }>(
  rows: Record<string, T>,
  project: string,
  counts: (row: T) => boolean = () => true,
): number {
  return Object.values(rows).filter((row) => row.project === project && counts(row)).length;
}
