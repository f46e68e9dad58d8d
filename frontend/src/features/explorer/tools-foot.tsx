import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { Icon } from "../../ui/icon";
import { words } from "./words";

export interface ToolsFootProps {
  catalog: t.Catalog;
  uses: readonly t.Use[];
  otherCalls: number;
  earlier: boolean;
}

/** The last line of the list: what was served and is not stored, and what is not known. */
export function ToolsFoot({ catalog, uses, otherCalls, earlier }: ToolsFootProps) {
  const { foot } = words;
  const lines: string[] = [];
  const stored = catalog.entries.length;
  const more = catalog.total - stored; // those without a name are not in the total
  if (more > 0) lines.push(more === 1 ? foot.moreOne(count(stored)) : foot.more(count(more), count(stored)));
  if (catalog.unnamed > 0) lines.push(foot.unnamed(count(catalog.unnamed)));
  const absent = catalog.entries.filter((entry) => entry.schema_absent).length;
  if (absent > 0) lines.push(absent === 1 ? foot.schema : foot.schemas(count(absent)));
  const other = otherCalls + callsBeside(catalog, uses);
  if (other > 0) lines.push(other === 1 ? foot.otherCall : foot.otherCalls(count(other)));
  if (catalog.entries.some((entry) => entry.mark === "unknown")) lines.push(foot.later);
  if (!catalog.compared && earlier) lines.push(foot.notCompared);
  if (lines.length === 0) return null;
  return (
    <p className="tools-foot">
      <Icon name="info" />
      <span>{lines.join(" ")}</span>
    </p>
  );
}

// Calls of tools that the list no longer has, or never stored: no row counts them.
function callsBeside(catalog: t.Catalog, uses: readonly t.Use[]): number {
  const listed = new Set(catalog.entries.map((entry) => entry.canonical));
  return uses.reduce((sum, use) => sum + (listed.has(use.tool) ? 0 : use.calls), 0);
}
