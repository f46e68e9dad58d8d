import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";

export interface SaveFormProps {
  title: ReactNode;
  /** The word on the button. */
  label: string;
  /** Rejects with what is shown; else the form closes. It is not called again before it has ended. */
  save: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** A form of the settings that is saved or cancelled. A save that fails keeps what was typed. */
export function SaveForm({ title, label, save, onClose, children }: SaveFormProps) {
  const { busy, error, setError, run } = useWork();
  const submit = async () => {
    if (await run(save)) onClose();
  };
  return (
    <form
      className="set-form"
      onChange={() => setError("")} // it spoke of what was there before
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h3>{title}</h3>
      {children}
      <Failure text={error} />
      <div className="row set-actions">
        <Button kind="primary" type="submit" disabled={busy}>
          {label}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  );
}
