import { type FormEvent, useMemo, useState } from "react";
import type { Entry } from "../../backend/types";
import { plainMarked } from "../../lib/hidden";
import { matches } from "../../lib/keys";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { ToolLabel } from "../../ui/tool-label";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { argumentsOf, type FormField, fieldsOf, promptOf } from "./bench-arguments";

/** Calls one tool by hand: a field for each plain argument, or JSON. What it sends is a prompt. */
export function BenchForm({ session, entry }: { session: string; entry: Entry }) {
  const { backend } = useKandev();
  // Below, the composer says why nothing can be called.
  const ready = useKandevState((state) => state.sessions[session]?.state === "ready");
  const fields = useMemo(() => fieldsOf(entry.input_schema), [entry.input_schema]);
  const [json, setJSON] = useState(fields === null);
  const [values, setValues] = useState<Record<string, string>>({});
  const [text, setText] = useState("{}");
  const { busy, error, setError, run } = useWork();

  const call = () => {
    if (busy || !ready) return;
    const given = json ? text : argumentsOf(fields ?? [], values);
    const prompt = promptOf(entry.served, given);
    if (prompt === "") return setError(words.bench.badJSON);
    void run(() => backend.prompt(session, prompt));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    call();
  };
  const toJSON = (next: boolean) => {
    if (next && !json) setText(argumentsOf(fields ?? [], values));
    setJSON(next);
  };
  return (
    <form
      className="bench-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (!matches(event, "Mod+Enter")) return;
        event.preventDefault();
        call();
      }}
    >
      <h3 className="strong">
        <ToolLabel name={entry.served} original={entry.original} />
      </h3>
      <p className="soft small bench-about">
        <SafeText text={entry.description.split("\n")[0] ?? ""} />
      </p>
      {json ? (
        <textarea
          className="area mono"
          rows={5}
          aria-label={words.bench.arguments}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <Fields fields={fields ?? []} values={values} onChange={setValues} />
      )}
      <Failure text={error} />
      <div className="row">
        <Button kind="primary" type="submit" icon="play" disabled={busy || !ready}>
          {words.bench.call}
        </Button>
        <span className="grow" />
        {fields !== null && (
          <span className="seg">
            <button type="button" aria-pressed={!json} onClick={() => toJSON(false)}>
              {words.bench.form}
            </button>
            <button type="button" aria-pressed={json} onClick={() => toJSON(true)}>
              {words.bench.json}
            </button>
          </span>
        )}
      </div>
    </form>
  );
}

interface FieldsProps {
  fields: FormField[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

function Fields({ fields, values, onChange }: FieldsProps) {
  if (fields.length === 0) return <p className="faint small">{words.bench.noArguments}</p>;
  return (
    <div className="form">
      {fields.map((field) => {
        const id = `bench-${field.name}`;
        const value = values[field.name] ?? "";
        const set = (next: string) => onChange({ ...values, [field.name]: next });
        return [
          <label key={`${id}-label`} htmlFor={id} className="mono cut" title={plainMarked(field.name)}>
            <SafeText text={field.name} />
          </label>,
          field.choices ? (
            <Select
              key={id}
              id={id}
              boxed
              labelHidden
              label={plainMarked(field.name)}
              value={value}
              onChange={set}
              options={["", ...field.choices].map((choice) => ({
                value: choice,
                label: <SafeText text={choice || field.hint || words.bench.any} />,
              }))}
            />
          ) : (
            <Field
              key={id}
              id={id}
              value={value}
              placeholder={plainMarked(field.hint)}
              required={false}
              onChange={(event) => set(event.target.value)}
              end={field.range ? <span className="faint small num">{field.range}</span> : undefined}
            />
          ),
        ];
      })}
    </div>
  );
}
