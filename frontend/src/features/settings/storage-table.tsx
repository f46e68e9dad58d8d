import type { ReactNode } from "react";
import type { ProjectSize, Storage } from "../../backend/types";
import { bytes, count } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { useKandevState } from "../../state/use";
import { type Asking, AskOnce, useAsking } from "../../ui/ask-once";
import { Button } from "../../ui/button";
import { SafeText } from "../../ui/safetext";
import { pageWords } from "./words";

const say = pageWords.storage;

export interface StorageTableProps {
  storage: Storage;
  onRemove: (project: string) => void;
  /** Deletes the databases that could not be read. */
  onRemoveAside: () => void;
}

/** What is stored: the projects, the largest first, then what belongs to none of them, and the whole. */
export function StorageTable({ storage, onRemove, onRemoveAside }: StorageTableProps) {
  const sorted = storage.projects.toSorted((a, b) => b.bytes - a.bytes || a.id.localeCompare(b.id));
  return (
    <table className="table set-storage">
      <thead>
        <tr>
          <th scope="col">{say.project}</th>
          <th scope="col" className="num">
            {say.sessions}
          </th>
          <th scope="col" className="num">
            {say.size}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sorted.map((size) => (
          <ProjectRow key={size.id} size={size} onRemove={() => onRemove(size.id)} />
        ))}
        {sorted.length === 0 && (
          <tr>
            <td colSpan={4} className="faint">
              {say.none}
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        {storage.worktrees > 0 && <Row name={say.worktrees} size={storage.worktrees} />}
        {storage.broken.length > 0 && <AsideRow storage={storage} onRemove={onRemoveAside} />}
        <Row name={<b className="medium">{say.all}</b>} size={storage.bytes} />
      </tfoot>
    </table>
  );
}

// Two projects may have one name: their folders tell them apart.
function ProjectRow({ size, onRemove }: { size: ProjectSize; onRemove: () => void }) {
  const project = useKandevState((state) => state.projects[size.id]);
  const name = project?.name ?? say.gone;
  const asking = useAsking();
  if (asking.asking) return <Question asking={asking} text={say.removeAsk(name)} onYes={onRemove} />;
  return (
    <Row
      name={
        <>
          <SafeText text={name} />
          {project && (
            <span className="set-path faint mono small cut" title={plainMarked(project.path)}>
              <SafeText text={project.path} />
            </span>
          )}
        </>
      }
      sessions={size.sessions}
      size={size.bytes}
    >
      <Remove asking={asking} label={say.removeOf(name)} />
    </Row>
  );
}

function AsideRow({ storage, onRemove }: { storage: Storage; onRemove: () => void }) {
  const asking = useAsking();
  if (asking.asking) return <Question asking={asking} text={say.removeAsideAsk} onYes={onRemove} />;
  return (
    <Row name={<SafeText text={say.aside(storage.broken.join(", "))} />} size={storage.aside}>
      <Remove asking={asking} label={say.removeAsideOf} />
    </Row>
  );
}

interface RowProps {
  name: ReactNode;
  sessions?: number;
  size: number;
  children?: ReactNode;
}

function Row({ name, sessions, size, children }: RowProps) {
  return (
    <tr>
      <th scope="row" className="wrap">
        {name}
      </th>
      <td className="num">{sessions !== undefined && count(sessions)}</td>
      <td className="num">{bytes(size)}</td>
      <td>{children}</td>
    </tr>
  );
}

function Remove({ asking, label }: { asking: Asking; label: string }) {
  return (
    <Button small autoFocus={asking.kept} aria-label={plainMarked(label)} onClick={asking.ask}>
      {say.remove}
    </Button>
  );
}

function Question({ asking, text, onYes }: { asking: Asking; text: string; onYes: () => void }) {
  const yes = () => {
    asking.end();
    onYes();
  };
  return (
    <tr>
      <td colSpan={4}>
        <AskOnce text={text} label={say.removeButton} onYes={yes} onKeep={asking.keep} />
      </td>
    </tr>
  );
}
