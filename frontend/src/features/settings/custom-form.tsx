import { useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { Agent } from "../../backend/types";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { words } from "../../words";
import { CommandPreview, useCommandCheck } from "./command-preview";
import { bearers, type CustomEdit, changeOf, editOf } from "./custom-change";
import { ValueRows } from "./value-rows";
import { pageWords } from "./words";

const say = pageWords.custom;
const ways = bearers.map((value) => ({ value, label: say.bearers[value].name }));

export interface CustomFormProps {
  /** null = a new one. */
  agent: Agent | null;
  onClose: () => void;
}

/** Adds an agent of the person's own or changes one. Values go in and never come back. */
export function CustomForm({ agent, onClose }: CustomFormProps) {
  const { backend } = useKandev();
  const [edit, setEdit] = useState(() => editOf(agent));
  const [error, setError] = useState("");
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setError("");
    setSaving(true);
    try {
      await backend.saveCustomAgent(changeOf(edit));
      onClose();
    } catch (thrown) {
      setError(sentence(thrown));
      setSaving(false);
    }
  };
  return (
    <form
      className="set-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) void save();
      }}
    >
      <h3>
        <SafeText text={agent ? say.editTitle(agent.name) : say.addTitle} />
      </h3>
      <Rows edit={edit} set={(change) => setEdit({ ...edit, ...change })} />
      <Failure text={error} />
      <div className="row set-actions">
        <Button kind="primary" type="submit" disabled={saving}>
          {say.save}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  );
}

function Rows({ edit, set }: { edit: CustomEdit; set: (change: Partial<CustomEdit>) => void }) {
  const check = useCommandCheck(edit.line);
  const place = useValuesPlace();
  return (
    <div className="form">
      <label htmlFor="custom-name">{say.name}</label>
      <Field
        id="custom-name"
        autoFocus
        value={edit.name}
        placeholder={say.nameHint}
        onChange={(event) => set({ name: event.target.value })}
      />
      <label htmlFor="custom-line" className="form-top">
        {say.line}
      </label>
      <div className="set-stack">
        <Field
          id="custom-line"
          className="mono"
          value={edit.line}
          placeholder="my-agent --acp"
          onChange={(event) => set({ line: event.target.value })}
        />
        <CommandPreview check={check} />
      </div>
      <span className="form-top">{say.env}</span>
      <div className="set-stack">
        <ValueRows
          label={say.env}
          add={pageWords.servers.addVariable}
          values={edit.env}
          onChange={(env) => set({ env })}
        />
        {place && <p className="faint small">{place}</p>}
      </div>
      <label htmlFor="custom-bearer" className="form-top">
        {say.bearer}
      </label>
      <div className="set-stack">
        <Select
          boxed
          labelHidden
          id="custom-bearer"
          label={say.bearer}
          value={edit.bearer}
          options={ways}
          onChange={(bearer) => set({ bearer })}
        />
        <p className="faint small">{say.bearers[edit.bearer].hint}</p>
      </div>
    </div>
  );
}

// Where values are kept; nothing is said while it is not known.
function useValuesPlace(): string {
  const { backend } = useKandev();
  const [place, setPlace] = useState("");
  useEffect(() => {
    backend.valuesPlace().then(
      (found) => setPlace(found.place),
      () => setPlace(""),
    );
  }, [backend]);
  return place;
}
