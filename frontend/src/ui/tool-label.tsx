import { toolName } from "../lib/tool-name";
import { SafeText } from "./safetext";

/** A tool's name in mono with its affixes dimmed. */
export function ToolLabel({ name }: { name: string }) {
  const { before, own, after } = toolName(name);
  return (
    <span className="mono">
      {before && <i className="affix">{before}</i>}
      <SafeText text={own} />
      {after && <i className="affix">{after}</i>}
    </span>
  );
}
