import { useEffect, useState } from "react";
import type { Agent } from "../../backend/types";
import { useKandev } from "../../state/use";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { CommandPreview, useCommandCheck } from "./command-preview";
import { bearers, type CustomEdit, changeOf, editOf } from "./custom-change";
import { SaveForm } from "./save-form";
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
  return (
    <SaveForm
      title={<SafeText text={agent ? say.editTitle(agent.name) : say.addTitle} />}
      label={say.save}
      save={() => backend.saveCustomAgent(changeOf(edit))}
      onClose={onClose}
    >
      <Rows edit={edit} set={(change) => setEdit({ ...edit, ...change })} />
    </SaveForm>
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
