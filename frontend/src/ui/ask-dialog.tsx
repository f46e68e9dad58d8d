import { type ReactNode, useEffect, useRef } from "react";
import { words } from "../words";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Failure } from "./failure";
import { useWork } from "./use-work";

export interface AskDialogProps extends QuestionProps {
  open: boolean;
  title: string;
}

interface QuestionProps {
  /** What goes, as paragraphs of the class form-text. */
  children: ReactNode;
  /** What the button does that goes on with it. */
  label: string;
  /** The button while it goes on; else it stays as it is. */
  doing?: string;
  disabled?: boolean;
  onYes: () => Promise<unknown>;
  /** It went, though it was refused: that needs no word. */
  gone?: () => boolean;
  onClose: () => void;
}

/** Asks once, in a dialog, before something goes with all that hangs on it. The focus is on keeping it. */
export function AskDialog({ open, title, ...question }: AskDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && question.onClose()}
      title={title}
      className="form-dialog"
      initialFocus={() => document.getElementById("keep")}
    >
      <Question {...question} />
    </Dialog>
  );
}

// It goes with the dialog: what was refused for one thing is not said of the next, and an answer that
// comes after the dialog was closed closes no other.
function Question({ children, label, doing, disabled, onYes, gone, onClose }: QuestionProps) {
  const { busy, error, run } = useWork();
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  const yes = async () => {
    const went = (await run(onYes)) || gone?.();
    if (went && !closed.current) onClose();
  };
  return (
    <>
      {children}
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button id="keep" onClick={onClose}>
          {words.keep}
        </Button>
        <Button onClick={yes} disabled={disabled}>
          {(busy && doing) || label}
        </Button>
      </footer>
    </>
  );
}
