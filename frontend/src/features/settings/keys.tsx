import { useKandevState } from "../../state/use";
import { Dialog } from "../../ui/dialog";
import { Kbd } from "../../ui/kbd";
import { words } from "../../words";
import "./settings.css";

const rows = [
  ["Mod+K", words.keys.palette],
  ["N", words.keys.newSession],
  ["Mod+Shift+M", words.keys.explorer],
  ["/", words.keys.search],
  ["J+K", words.keys.tools],
  ["R", words.keys.json],
  ["Mod+Enter", words.keys.send],
  ["1+…+9", words.keys.options],
  ["Esc", words.keys.close],
  ["?", words.keys.keys],
] as const;

/** Which keys do what. */
export function Keys({ open, onClose }: { open: boolean; onClose: () => void }) {
  const off = useKandevState((state) => state.settings.letters_off);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.keys.title}
      className="keys-dialog"
    >
      <dl className="keys-list scroll">
        {rows.map(([keys, what]) => (
          <div key={keys} className="row">
            <dt className="grow">{what}</dt>
            <dd>
              <Kbd keys={keys} />
              <span className="sr">{keys}</span>
            </dd>
          </div>
        ))}
        {off && <p className="faint small">{words.keys.lettersOff}</p>}
      </dl>
    </Dialog>
  );
}
