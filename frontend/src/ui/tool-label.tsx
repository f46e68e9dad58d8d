import { toolName } from "../lib/tool-name";
import { SafeText } from "./safetext";

/** A tool's name in mono with its affixes dimmed. `original` is a plugin's own name for it. */
export function ToolLabel({ name, original }: { name: string; original?: string }) {
  const { before, own, after } = toolName(name, original);
  return (
    <span className="mono">
      {before && (
        <i className="affix">
          <SafeText text={before} />
        </i>
      )}
      <SafeText text={own} />
      {after && <i className="affix">{after}</i>}
    </span>
  );
}
