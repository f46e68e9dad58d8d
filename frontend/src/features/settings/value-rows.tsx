import { useRef } from "react";
import { Button, IconButton } from "../../ui/button";
import { Field } from "../../ui/field";
import type { EditedValue } from "./change";
import { pageWords } from "./words";

export interface ValueRowsProps {
  label: string;
  add: string;
  values: EditedValue[];
  /** Values are asked for at each start: only names can be typed. */
  ask?: boolean;
  onChange: (values: EditedValue[]) => void;
}

/** Headers or variables. A stored value is never shown; typing replaces it. */
export function ValueRows({ label, add, values, ask, onChange }: ValueRowsProps) {
  const made = useRef(0);
  const change = (at: number, part: Partial<EditedValue>) =>
    onChange(values.map((value, n) => (n === at ? { ...value, ...part } : value)));
  return (
    <fieldset className="set-values" aria-label={label}>
      {values.map((value, n) => (
        <div key={value.key} className="row">
          <Field
            className="set-value-name"
            aria-label={pageWords.servers.valueName}
            placeholder={pageWords.servers.valueName}
            value={value.name}
            readOnly={value.keep}
            onChange={(event) => change(n, { name: event.target.value })}
          />
          <Field
            className="grow"
            type="password"
            autoComplete="new-password"
            aria-label={pageWords.servers.value(value.name)}
            placeholder={hint(value, ask ?? false)}
            disabled={ask}
            value={value.value}
            onChange={(event) => change(n, { value: event.target.value, keep: false })}
          />
          <IconButton
            icon="x"
            label={pageWords.servers.removeValue(value.name)}
            onClick={() => onChange(values.filter((_, other) => other !== n))}
          />
        </div>
      ))}
      <Button
        small
        icon="plus"
        onClick={() => onChange([...values, { key: --made.current, name: "", value: "", keep: false }])}
      >
        {add}
      </Button>
    </fieldset>
  );
}

function hint(value: EditedValue, ask: boolean): string {
  if (ask) return pageWords.servers.askedValue;
  if (value.asked && value.keep) return pageWords.servers.unstored;
  return value.keep ? pageWords.servers.stored : pageWords.servers.newValue;
}
