import type * as t from "../../backend/types";
import { IconButton } from "../../ui/button";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { fieldName } from "./state-of";
import { words } from "./words";

export interface SettingFieldProps {
  id: string;
  field: t.PluginField;
  /** undefined = not touched. */
  typed: string | undefined;
  forgotten: boolean;
  onType: (value: string) => void;
  onForget: () => void;
}

const w = words.config;
const choices = [
  { value: "", label: w.unset },
  { value: "true", label: w.yes },
  { value: "false", label: w.no },
] as const;

/** One declared setting: its name, its field by type, and a cross that forgets what is stored. */
export function SettingField({ id, field, typed, forgotten, onType, onForget }: SettingFieldProps) {
  const value = typed ?? (field.secret ? "" : field.value);
  const name = fieldName(field);
  const stored = field.set && !forgotten;
  const number = field.type === "number" || field.type === "integer";
  return (
    <>
      <label htmlFor={id} className="wrap">
        <SafeText text={name} />
        {field.required && <span className="faint small"> {w.required}</span>}
      </label>
      <div className="row">
        {field.type === "boolean" ? (
          <Select
            boxed
            labelHidden
            id={id}
            label={name}
            value={value as "" | "true" | "false"}
            options={choices}
            onChange={onType}
          />
        ) : (
          <Field
            id={id}
            className="grow"
            type={field.secret ? "password" : "text"}
            autoComplete={field.secret ? "new-password" : "off"}
            inputMode={number ? "decimal" : undefined}
            value={value}
            placeholder={field.secret && stored ? w.set : w.notSet}
            onChange={(event) => onType(event.target.value)}
          />
        )}
        {stored && (field.secret || field.added) && (
          <IconButton icon="x" label={w.forget(name)} onClick={onForget} />
        )}
      </div>
    </>
  );
}
