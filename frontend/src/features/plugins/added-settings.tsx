import { Button, IconButton } from "../../ui/button";
import { Field } from "../../ui/field";
import type { AddedRow } from "./values";
import { words } from "./words";

export interface AddedSettingsProps {
  rows: AddedRow[];
  onChange: (rows: AddedRow[]) => void;
  nextId: () => number;
}

/** Settings that the person gives to a module without a manifest, which declares none. */
export function AddedSettings({ rows, onChange, nextId }: AddedSettingsProps) {
  const w = words.config;
  const change = (id: number, part: Partial<AddedRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <fieldset className="pl-added" aria-label={w.add}>
      {rows.map((row) => (
        <div key={row.id} className="row">
          <Field
            autoFocus
            className="pl-key mono"
            aria-label={w.key}
            placeholder={w.key}
            value={row.key}
            onChange={(event) => change(row.id, { key: event.target.value })}
          />
          <Field
            className="grow"
            type={row.secret ? "password" : "text"}
            autoComplete={row.secret ? "new-password" : "off"}
            aria-label={w.value}
            placeholder={w.value}
            value={row.value}
            onChange={(event) => change(row.id, { value: event.target.value })}
          />
          <label className="row pl-secret">
            <input
              type="checkbox"
              className="box"
              checked={row.secret}
              onChange={(event) => change(row.id, { secret: event.target.checked })}
            />
            {w.secret}
          </label>
          <IconButton
            icon="x"
            label={w.removeRow}
            onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      <Button
        small
        icon="plus"
        onClick={() => onChange([...rows, { id: nextId(), key: "", value: "", secret: false }])}
      >
        {w.add}
      </Button>
    </fieldset>
  );
}
