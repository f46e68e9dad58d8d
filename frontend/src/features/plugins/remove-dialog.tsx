import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { AskDialog } from "../../ui/ask-dialog";
import { words } from "./words";

/** Asks once before a plugin is removed. */
export function RemovePlugin({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { store, backend } = useKandev();
  const id = useKandevState((state) => state.subject);
  const name = useKandevState((state) => state.plugins?.plugins.find((one) => one.id === id)?.name ?? id);
  const remove = async () => {
    await backend.removePlugin(id);
    // Its page goes first, so that the focus does not return to a button that is about to go.
    await actions.refreshPlugins(store, backend).catch(() => {});
  };
  return (
    <AskDialog
      open={open}
      title={plainMarked(words.removing.title(name))}
      label={words.removing.button}
      onYes={remove}
      onClose={onClose}
    >
      <p className="form-text">{words.removing.text}</p>
    </AskDialog>
  );
}
