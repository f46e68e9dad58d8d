import { useId, useState } from "react";
import type * as t from "../../backend/types";
import { count, tokenFigure, tokens } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { formatJson } from "../../lib/json-format";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { ToolLabel } from "../../ui/tool-label";
import { hintWords } from "./state-of";
import { words } from "./words";

export interface PluginToolsProps {
  tools: t.PluginTool[];
  total: number | undefined;
  /** Where they are known from. */
  note?: string;
}

/** The tools as sessions are served them; each opens to everything that is known of it. */
export function PluginTools({ tools, total, note }: PluginToolsProps) {
  return (
    <section>
      <h3 className="cap">
        {words.tools.title}
        <span className="count">{count(tools.length)}</span>
        <span className="grow" />
        <span className="cap-note num">
          {note && `${note}, `}
          {tokens(total)}
        </span>
      </h3>
      <div className="pl-rows">
        {tools.map((tool) => (
          <Row key={tool.served} tool={tool} />
        ))}
      </div>
    </section>
  );
}

function Row({ tool }: { tool: t.PluginTool }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="pl-row"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={words.tools.details(plainMarked(tool.served))}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "right"} />
        <span className="cut">
          <ToolLabel name={tool.served} original={tool.original} />
        </span>
        <span className="cut faint small">
          <SafeText text={tool.description} />
        </span>
        <span className="num small pl-end">
          {tool.refused ? <StatusShape shape="failed" tone="bad" /> : tokenFigure(tool.estimate)}
        </span>
      </button>
      {open && <Details id={id} tool={tool} />}
    </>
  );
}

function Details({ id, tool }: { id: string; tool: t.PluginTool }) {
  const hints = hintWords(tool);
  return (
    <dl className="dl small pl-details" id={id}>
      {tool.refused && (
        <>
          <dt className="st-bad">{words.tools.refused}</dt>
          <dd>
            <SafeText text={tool.refused} />
          </dd>
        </>
      )}
      <dt>{words.tools.original}</dt>
      <dd className="mono">
        <SafeText text={tool.original} />
      </dd>
      <dt>{words.tools.served}</dt>
      <dd className="mono">
        <SafeText text={tool.served} />
      </dd>
      <dt>{words.tools.description}</dt>
      <dd className="pl-text" dir="auto">
        <SafeText text={tool.description} lines />
      </dd>
      <dt>{words.tools.hints}</dt>
      <dd>{hints.length > 0 ? hints.join(", ") : <span className="faint">{words.tools.noHints}</span>}</dd>
      <dt>{words.tools.schema}</dt>
      <dd>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys. */}
        <pre className="pl-schema" tabIndex={0}>
          <SafeText text={indented(tool.input_schema)} lines />
        </pre>
      </dd>
    </dl>
  );
}

/** JSON with line breaks, its numbers and keys as they are; what is no JSON stays as it is. */
function indented(text: string): string {
  const lines = formatJson(text);
  if (!lines) return text;
  return lines
    .map(({ indent, parts }) => "  ".repeat(indent) + parts.map((part) => part.text).join(""))
    .join("\n");
}
