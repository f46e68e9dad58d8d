import { type ReactNode, useState } from "react";
import { bytes } from "../../lib/format";
import { CopyButton } from "../../ui/copy-button";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";

/** A row that opens: thoughts, the preamble, updates of an unknown kind. */
export function Fold({
  head,
  open,
  onToggle,
  children,
}: {
  head: ReactNode;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <div className="call">
      <button type="button" className="call-head thought" aria-expanded={open} onClick={onToggle}>
        <Icon name={open ? "down" : "right"} />
        <span className="cut">{head}</span>
      </button>
      {open && <div className="call-body soft">{children}</div>}
    </div>
  );
}

/** Characters shown at first of an input or output. */
const firstPart = 20_000;

/** Plain text in a frame that scrolls, with a button that copies the whole of it. */
export function Block({ head, text }: { head: string; text: string }) {
  const [all, setAll] = useState(false);
  const cut = !all && text.length > firstPart + 1000;
  return (
    <div className="code">
      <div className="code-head">
        <span>{head}</span>
        <span className="grow" />
        <CopyButton label={`Copy: ${head}`} text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre dir="ltr" className="block-text" tabIndex={0}>
        <SafeText text={cut ? text.slice(0, firstPart) : text} lines />
      </pre>
      {cut && (
        <button type="button" className="link diff-more" onClick={() => setAll(true)}>
          {words.talk.rest(bytes(text.length - firstPart))}
        </button>
      )}
    </div>
  );
}
