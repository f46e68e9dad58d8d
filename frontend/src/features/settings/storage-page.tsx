import { useCallback, useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { Storage } from "../../backend/types";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";
import { StorageTable } from "./storage-table";
import { pageWords } from "./words";

const say = pageWords.storage;

/** Where the data is, how large it is in all and by project, and what of it can be deleted. */
export function StoragePage() {
  const { backend } = useKandev();
  const [storage, setStorage] = useState<Storage | null>(null);
  const [unknown, setUnknown] = useState("");
  const [error, setError] = useState("");
  const load = useCallback(async () => {
    try {
      setStorage(await backend.storage());
      setUnknown("");
    } catch (thrown) {
      setUnknown(sentence(thrown));
    }
  }, [backend]);
  useEffect(() => void load(), [load]);
  // What was pressed goes.
  const focusTitle = () => document.getElementById("storage-title")?.focus();
  const again = () => {
    focusTitle();
    void load();
  };
  // One does not wait for another: what is pressed is done.
  const run = (work: () => Promise<unknown>) => {
    setError("");
    return work().catch((thrown) => setError(sentence(thrown)));
  };
  const show = (which: "data" | "logs") => () => void run(() => backend.openFolder(which));
  // Looked at again in any case: what was refused may have done a part of it.
  const remove = (work: () => Promise<unknown>) => {
    focusTitle();
    void run(work).then(load);
  };
  return (
    <>
      <header className="set-head">
        <div>
          <h3 id="storage-title" tabIndex={-1}>
            {words.settings.pages.storage}
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
      <Failure text={error || (storage && unknown ? `${words.settings.storageFailed} ${unknown}` : "")} />
      {!storage && !unknown && <Skeleton rows={3} />}
      {!storage && unknown && (
        <EmptyState
          shape={{ shape: "failed", tone: "bad" }}
          title={words.settings.storageFailed}
          actions={<Button onClick={again}>{words.retry}</Button>}
        >
          <SafeText text={unknown} />
        </EmptyState>
      )}
      {storage?.memory && <p>{words.settings.memory}</p>}
      {storage && (
        <StorageTable
          storage={storage}
          onRemove={(id) => remove(() => backend.removeProject(id))}
          onRemoveAside={() => remove(() => backend.deleteBroken())}
        />
      )}
      <p className="faint small">{say.foot}</p>
    </>
  );
}
