import type { Agent, CustomChange } from "../../backend/types";
import { type EditedValue, values } from "./change";

/** The ways of the bearer that a person can choose from; the first is the usual one. */
export const bearers = ["header", "env", "path", "bridge"] as const;
export type Bearer = (typeof bearers)[number];

/** An agent of the person's own while it is edited. */
export interface CustomEdit {
  id: string;
  name: string;
  line: string;
  bearer: Bearer;
  env: EditedValue[];
}

/** What the form begins with: an agent as it is kept, or a new one. Stored values stay. */
export function editOf(agent: Agent | null): CustomEdit {
  const kept = agent?.custom;
  return {
    id: agent?.id ?? "",
    name: agent?.name ?? "",
    line: kept?.line ?? "",
    bearer: bearers.find((known) => known === kept?.bearer) ?? "header",
    env: (kept?.env ?? []).map((name, key) => ({ key, name, value: "", keep: true })),
  };
}

/** What goes out. */
export function changeOf(edit: CustomEdit): CustomChange {
  // Wails generates a class; on the wire it is this object.
  return {
    id: edit.id,
    name: edit.name,
    line: edit.line,
    bearer: edit.bearer,
    env: values(edit.env),
  } as unknown as CustomChange;
}
