import { useCallback, useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { ProjectSize, Storage } from "../../backend/types";
import { bytes, count } from "../../lib/format";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";
import { pageWords } from "./words";

const say = pageWords.storage;

/** Where the data is, how large it is in all and by project, and what of it can be deleted. */
export function StoragePage() {
  const { backend } = useKandev();
  const [storage, setStorage] = useState<Storage | null>(null);
  const [error, setError] = useState("");
  const load = useCallback(async () => {
    try {
      setStorage(await backend.storage());
      setError("");
    } catch (thrown) {
      setError(`${words.settings.storageFailed} ${sentence(thrown)}`);
    }
  }, [backend]);
  useEffect(() => void load(), [load]);
  const act = (work: () => Promise<unknown>) => {
    work().then(load, (thrown) => setError(sentence(thrown)));
  };
  const show = (which: "data" | "logs") => () => act(() => backend.openFolder(which));
  return (
    <>
      <header className="set-head">
        <div>
          <h3 id="storage-title" tabIndex={-1}>
            {pageWords.pages.storage}
          </h3>
          {storage && (
            <p className="wrap mono small">
              <SafeText text={storage.folder} />
            </p>
          )}
        </div>
        <Button icon="folder" onClick={show("data")}>
          {words.settings.openData}
        </Button>
        <Button icon="file" onClick={show("logs")}>
          {words.settings.openLogs}
        </Button>
      </header>
      <Failure text={error} />
      {!storage && !error && <Skeleton rows={3} />}
      {storage?.memory && <p>{words.settings.memory}</p>}
      {storage && <Projects storage={storage} onRemove={(id) => act(() => backend.removeProject(id))} />}
      {storage && <Rest storage={storage} onRemove={() => act(() => backend.deleteBroken())} />}
      <p className="faint small">{say.foot}</p>
    </>
  );
}

// The largest first.
function Projects({ storage, onRemove }: { storage: Storage; onRemove: (id: string) => void }) {
  const sorted = storage.projects.toSorted((a, b) => b.bytes - a.bytes || a.id.localeCompare(b.id));
  if (sorted.length === 0) return <p className="faint">{say.none}</p>;
  return (
    <table className="table set-storage">
      <thead>
        <tr>
          <th scope="col">{say.project}</th>
          <th scope="col">{say.sessions}</th>
          <th scope="col">{say.size}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sorted.map((size) => (
          <ProjectRow key={size.id} size={size} onRemove={() => onRemove(size.id)} />
        ))}
      </tbody>
    </table>
  );
}

// The button that was pressed goes; the focus would go with it.
function focusTitle() {
  document.getElementById("storage-title")?.focus();
}

function ProjectRow({ size, onRemove }: { size: ProjectSize; onRemove: () => void }) {
  const name = useKandevState((state) => state.projects[size.id]?.name ?? say.gone);
  const [asking, setAsking] = useState(false);
  const [kept, setKept] = useState(false);
  if (asking)
    return (
      <tr>
        <td colSpan={4}>
          <div className="row">
            <span className="grow wrap">
              <SafeText text={say.removeAsk(name)} />
            </span>
            <Button
              small
              onClick={() => {
                setAsking(false);
                focusTitle();
                onRemove();
              }}
            >
              {say.removeButton}
            </Button>
            <Button
              small
              kind="quiet"
              autoFocus
              onClick={() => {
                setKept(true);
                setAsking(false);
              }}
            >
              {say.keep}
            </Button>
          </div>
        </td>
      </tr>
    );
  return (
    <tr>
      <th scope="row" className="wrap">
        <SafeText text={name} />
      </th>
      <td className="num">{count(size.sessions)}</td>
      <td className="num">{bytes(size.bytes)}</td>
      <td>
        <Button
          small
          autoFocus={kept}
          aria-label={say.removeOf(name)}
          onClick={() => {
            setKept(false);
            setAsking(true);
          }}
        >
          {say.remove}
        </Button>
      </td>
    </tr>
  );
}

// What belongs to no project, and the whole.
function Rest({ storage, onRemove }: { storage: Storage; onRemove: () => void }) {
  return (
    <dl className="set-sizes">
      {storage.worktrees > 0 && <Size name={say.worktrees} value={storage.worktrees} />}
      {storage.broken.length > 0 && (
        <Size name={say.aside(storage.broken.join(", "))} value={storage.aside}>
          <Button
            small
            onClick={() => {
              focusTitle();
              onRemove();
            }}
          >
            {say.removeAside}
          </Button>
        </Size>
      )}
      <Size name={say.all} value={storage.bytes} />
    </dl>
  );
}

function Size({ name, value, children }: { name: string; value: number; children?: React.ReactNode }) {
  return (
    <div className="row">
      <dt className="grow wrap">
        <SafeText text={name} />
      </dt>
      <dd className="num">{bytes(value)}</dd>
      {children && <dd>{children}</dd>}
    </div>
  );
}
