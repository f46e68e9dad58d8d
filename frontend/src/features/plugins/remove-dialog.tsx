import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { useWork } from "../../ui/use-work";
import { words as appWords } from "../../words";
import { words } from "./words";

/** Asks once before a plugin is removed; the focus is on keeping it. */
export function RemovePlugin({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const name = useKandevState((state) => state.plugins?.plugins.find((one) => one.id === id)?.name ?? id);
  const { error, run } = useWork();
  const remove = async () => {
    if (!(await run(() => backend.removePlugin(id)))) return;
    // Its page goes first, so that the focus does not return to a button that is about to go.
    await actions.refreshPlugins(store, backend).catch(() => {});
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={plainMarked(words.removing.title(name))}
      className="form-dialog"
      initialFocus={() => document.getElementById("keep-plugin")}
    >
      <p className="form-text">{words.removing.text}</p>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button id="keep-plugin" onClick={onClose}>
          {appWords.keep}
        </Button>
        <Button onClick={remove}>{words.removing.button}</Button>
      </footer>
    </Dialog>
  );
}
