import { plainMarked } from "../../lib/hidden";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { EnumValues, FactText } from "./argument-facts";
import type { Arg } from "./schema-tree";
import { words } from "./words";

/** Deeper rows are not moved further in; their level is still told. */
const deepestIndent = 12;

export interface ArgumentRowProps {
  arg: Arg;
  /** The one row that the tab key stops at. */
  current: boolean;
  /** undefined: nothing is under it. */
  open: boolean | undefined;
  onFold: (path: string, open: boolean) => void;
  onJump: (path: string) => void;
}

/** One argument: name, type, what else the schema says, and its description. */
export function ArgumentRow({ arg, current, open, onFold, onJump }: ArgumentRowProps) {
  const { args } = words;
  const name = plainMarked(arg.label.text);
  return (
    <div
      className="arg"
      role="treeitem"
      tabIndex={current ? 0 : -1}
      aria-level={arg.depth + 1}
      aria-expanded={open}
      data-path={arg.path}
      style={{ "--d": Math.min(arg.depth, deepestIndent) } as React.CSSProperties}
    >
      <div className="arg-left">
        {open === undefined ? (
          <span className="fold" />
        ) : (
          <button
            type="button"
            className="fold"
            tabIndex={-1}
            aria-label={open ? args.collapse(name) : args.expand(name)}
            onClick={() => onFold(arg.path, !open)}
          >
            <Icon name={open ? "down" : "right"} />
          </button>
        )}
        <span className="arg-label">
          <LabelText arg={arg} />
        </span>
      </div>
      <div className="arg-right">
        <div className="arg-line">
          {arg.type && (
            <span className="arg-type">
              <SafeText text={arg.type} />
            </span>
          )}
          {arg.required && <span className="arg-req">{args.required}</span>}
          {arg.ref && !arg.back && <FactText fact={{ name: args.ref, text: arg.ref }} />}
          {arg.closed && arg.depth >= 0 && arg.label.kind !== "root" && (
            <span className="fact">{args.closed}</span>
          )}
          {arg.facts.map((fact) => (
            <FactText fact={fact} key={fact.name + (fact.text ?? "")} />
          ))}
          {arg.open !== undefined && <FactText fact={{ name: args.open, code: [arg.open] }} />}
          {arg.back && (
            <button
              type="button"
              className="link small"
              tabIndex={-1}
              onClick={() => onJump(arg.back?.path ?? "")}
            >
              <Icon name="loop" />
              {args.back}{" "}
              <span className="mono">{arg.back.name ? <SafeText text={arg.back.name} /> : args.top}</span>
            </button>
          )}
        </div>
        {arg.description.trim() !== "" && (
          <p className="arg-desc" dir="auto">
            <SafeText text={arg.description} lines />
          </p>
        )}
        <EnumValues values={arg.values} />
        {arg.raw !== undefined && (
          <pre className="arg-raw">
            <SafeText text={arg.raw} lines />
          </pre>
        )}
      </div>
    </div>
  );
}

function LabelText({ arg }: { arg: Arg }) {
  const { kind, text } = arg.label;
  const { args } = words;
  const name = (
    <span className="mono arg-name">
      <SafeText text={text} />
    </span>
  );
  if (kind === "name") return name;
  if (kind === "pattern")
    return (
      <>
        <span className="faint">{args.pattern}</span> {name}
      </>
    );
  const word =
    kind === "root"
      ? args.input
      : kind === "choice"
        ? args.choice(text)
        : kind === "part"
          ? args.part(text)
          : text;
  return (
    <span className={kind === "keyword" ? "mono faint" : "faint"}>
      <SafeText text={word} />
    </span>
  );
}
