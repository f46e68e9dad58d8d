import type * as t from "../../backend/types";
import { bytes } from "../../lib/format";

// What goes to the clipboard or into a file. Schema texts are put in as they are stored, never
// encoded again: key order, number spelling and duplicate keys survive.

/** The input schema of one tool, or the object that says why it is not there. */
export function schemaText(entry: t.Entry): string {
  if (entry.input_schema) return entry.input_schema;
  const size = entry.schema_bytes > 0 ? `: ${bytes(entry.schema_bytes)}` : "";
  return `{"type":"object","$comment":${JSON.stringify(`not stored${size}`)}}`;
}

/** What is stored of one tool, as one member of a `tools/list` result. */
export function toolText(entry: t.Entry): string {
  const description = entry.has_description ? `,"description":${JSON.stringify(entry.description)}` : "";
  return `{"name":${JSON.stringify(entry.served)}${description},"inputSchema":${schemaText(entry)}}`;
}

/** What a file of one tool is called: its name, where other characters than a file takes become _. */
export function fileName(served: string): string {
  return `${served.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 100) || "tool"}.json`;
}

/** The whole stored catalog as a valid `tools/list` result. */
export function toolsListText(catalog: t.Catalog): string {
  return `{"tools":[${catalog.entries.map(toolText).join(",\n")}]}\n`;
}

/** Reports whether something of a tool was cut or is not stored. */
export function isPartial(entry: t.Entry): boolean {
  return entry.description_cut || entry.schema_absent !== undefined;
}
