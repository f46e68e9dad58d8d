import type * as t from "../../backend/types";

/** What the person typed into the form, by key. A key that is not there was not touched. */
export type Typed = Record<string, string>;

/** A setting that the person adds to a module without a manifest. */
export interface AddedRow {
  id: number;
  key: string;
  value: string;
  secret: boolean;
}

/**
 * What goes out: settings that were touched and are not as they were, and rows that have a key. A secret
 * that was cleared by hand stays; only `forgotten` takes one away.
 */
export function changes(
  fields: readonly t.PluginField[],
  typed: Typed,
  forgotten: ReadonlySet<string>,
  added: readonly AddedRow[],
): t.PluginValue[] {
  const list: t.PluginValue[] = [];
  for (const field of fields) {
    const { key, secret } = field;
    const value = typed[key];
    if (forgotten.has(key)) list.push({ key, value: "", keep: false, secret });
    else if (value === undefined || (secret && value === "")) continue;
    else if (secret || value !== field.value) list.push({ key, value, keep: false, secret });
  }
  for (const row of added)
    if (row.key.trim() !== "")
      list.push({ key: row.key.trim(), value: row.value, keep: false, secret: row.secret });
  return list;
}

/** The lines of a list of hosts; blanks are none. */
export function hostLines(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
