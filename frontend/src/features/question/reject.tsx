import { type FormEvent, useState } from "react";
import { matches } from "../../lib/keys";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Area } from "../../ui/field";
import { words } from "../../words";

export interface RejectProps {
  open: boolean;
  onClose: () => void;
  onReject: (reason: string) => void;
}

/** Asks why; the agent is told. Esc leaves the questions as they are. */
export function RejectQuestion({ open, onClose, onReject }: RejectProps) {
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onReject(reason.trim());
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.question.rejectTitle}
      className="form-dialog"
    >
      <form
        onSubmit={submit}
        className="form-body"
        onKeyDown={(event) => {
          event.stopPropagation();
          if (!matches(event, "Mod+Enter")) return;
          event.preventDefault();
          onReject(reason.trim());
        }}
      >
        <div className="form">
          <Area
            id="reject-reason"
            label={words.question.reason}
            value={reason}
            placeholder={words.question.reasonHint}
            onText={setReason}
          />
        </div>
        <footer className="form-foot">
          <span className="grow" />
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit">{words.question.rejectButton}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
