import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "../../backend/error";
import type * as t from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { Inspection } from "./inspection";
import { words } from "./words";

/** Looks at a plugin's file and shows everything of it before it is installed. */
export function InstallPlugin({ open, onClose }: { open: boolean; onClose: () => void }) {
  const subject = useKandevState((state) => state.subject);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.installing.title}
      className="form-dialog pl-install"
      initialFocus={() => document.getElementById("plugin-path")}
    >
      {/* Another file that is dropped meanwhile is another dialog. */}
      <Form key={subject} path={subject} onClose={onClose} />
    </Dialog>
  );
}

function Form({ path: given, onClose }: { path: string; onClose: () => void }) {
  const { store, backend } = useKandev();
  const w = words.installing;
  const [path, setPath] = useState(given);
  const [busy, setBusy] = useState<"" | "looking" | "installing">("");
  const [error, setError] = useState("");
  const [found, setFound] = useState<t.PluginInspection | null>(null);
  const asked = useRef("");

  const look = useCallback(
    async (wanted: string) => {
      asked.current = wanted;
      setFound(null);
      setError("");
      setBusy("looking");
      try {
        const inspection = await backend.inspectPlugin(wanted);
        if (asked.current === wanted) setFound(inspection);
      } catch (thrown) {
        if (asked.current === wanted) setError(sentence(thrown));
      } finally {
        if (asked.current === wanted) setBusy("");
      }
    },
    [backend],
  );
  useEffect(() => {
    if (given) void look(given);
  }, [given, look]);
  const choose = async () => {
    try {
      const chosen = await backend.choosePlugin();
      if (!chosen) return;
      setPath(chosen);
      void look(chosen);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  const install = async (inspection: t.PluginInspection) => {
    setError("");
    setBusy("installing");
    try {
      const id = await backend.installPlugin(inspection.path, inspection.digest);
      actions.openPlugins(store, id);
      // What an update asks for beyond the grant is shown at once, to be granted or not.
      if (inspection.update?.state === "enabled" && !inspection.update.asks.nothing)
        await actions.openEnable(store, backend, id);
    } catch (thrown) {
      setError(sentence(thrown));
      setBusy("");
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy !== "") return;
    if (found && found.problems.length === 0) void install(found);
    else if (path.trim() === "") setError(w.needPath);
    else void look(path.trim());
  };
  const ready = found && found.problems.length === 0;
  const bare = path.toLowerCase().endsWith(".wasm");
  return (
    <form className="form-body" onSubmit={submit}>
      <div className="scroll pl-dialog">
        <div className="form">
          <label htmlFor="plugin-path">{w.file}</label>
          <div className="row">
            <Field
              id="plugin-path"
              className="grow mono"
              value={path}
              placeholder={w.pathHint}
              readOnly={busy !== ""}
              onChange={(event) => {
                setPath(event.target.value);
                setFound(null);
                setError("");
              }}
            />
            <Button onClick={choose} disabled={busy !== ""}>
              {w.choose}
            </Button>
          </div>
        </div>
        <p className="soft" role="status" hidden={busy !== "looking"}>
          {busy === "looking" && (bare ? w.lookingBare : w.looking)}
        </p>
        {found && <Inspection inspection={found} />}
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="faint small grow">{ready && footWord(found)}</span>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" disabled={busy !== "" || (found !== null && !ready)}>
          {found ? goWord(found) : w.look}
        </Button>
      </footer>
    </form>
  );
}

/** What the button does: a module that takes another one's place has no version that could tell of an update. */
export function goWord({ update, plugin }: t.PluginInspection): string {
  const w = words.installing;
  if (!update) return w.button;
  return plugin.bare && !update.same ? w.buttonReplace : w.buttonUpdate;
}

/** What will be after it: installing never switches anything on. */
export function footWord(inspection: t.PluginInspection): string {
  const w = words.installing;
  const { update } = inspection;
  if (!update) return w.foot;
  if (update.after === "enabled") return w.footKeeps;
  return update.asks.nothing ? w.footOff : w.footAsks;
}
