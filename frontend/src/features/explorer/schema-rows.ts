import type * as t from "../../backend/types";
import { parseJson } from "../../lib/json";
import { type Arg, SchemaTree } from "./schema-tree";

/** What can be said of a tool's arguments. Four different things, never mixed up. */
export type Arguments =
  | { state: "absent"; reason: string; bytes: number }
  | { state: "invalid" }
  | { state: "none"; closed: boolean; description: string }
  | { state: "shown"; tree: SchemaTree };

/** Reads the stored schema of a tool. Any text, any depth; it never throws. */
export function argumentsOf(entry: t.Entry): Arguments {
  if (entry.schema_absent === "not_an_object") return { state: "invalid" };
  if (!entry.input_schema)
    return { state: "absent", reason: entry.schema_absent ?? "", bytes: entry.schema_bytes };
  const schema = parseJson(entry.input_schema);
  if (schema?.kind !== "object") return { state: "invalid" };
  const tree = new SchemaTree(entry.input_schema, schema);
  const { root } = tree;
  const says = saysMore(root) || root.specs.length > 0;
  return says
    ? { state: "shown", tree }
    : { state: "none", closed: root.closed, description: root.description };
}

/** Reports whether the root itself says something beside that it is an object. */
function saysMore(root: Arg): boolean {
  return (
    root.type !== "object" ||
    root.facts.length > 0 ||
    root.values.length > 0 ||
    root.back !== undefined ||
    root.open !== undefined
  );
}

/** Rows above this depth are open at first. */
const openDepth = 3;

/** So many rows are drawn at first, and so many more each time. */
export const rowStep = 200;

export interface ArgRows {
  rows: Arg[];
  /** The tree has more rows than were asked for. */
  more: boolean;
}

/** Reports whether a row's children are drawn. */
export function isOpen(arg: Arg, choice: ReadonlyMap<string, boolean>): boolean {
  return arg.specs.length > 0 && (choice.get(arg.path) ?? arg.depth + 1 < openDepth);
}

/** The rows to draw, at most `most`. */
export function visibleRows(tree: SchemaTree, choice: ReadonlyMap<string, boolean>, most: number): ArgRows {
  const { root } = tree;
  const says = saysMore(root) || root.description.trim() !== "";
  const rows: Arg[] = says ? [{ ...root, depth: 0, specs: [] }] : [];
  const waiting = [...tree.children(root)].reverse();
  for (let arg = waiting.pop(); arg; arg = waiting.pop()) {
    if (rows.length >= most) return { rows, more: true };
    rows.push(arg);
    if (isOpen(arg, choice)) waiting.push(...[...tree.children(arg)].reverse());
  }
  return { rows, more: false };
}
