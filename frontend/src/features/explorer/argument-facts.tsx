import { useState } from "react";
import { count } from "../../lib/format";
import { SafeText } from "../../ui/safetext";
import type { Fact } from "./schema-facts";
import { words } from "./words";

/** Values of an enum that are drawn at first, and more of them each time. */
const firstValues = 20;
const moreValues = 500;

/** A word and what it holds. */
export function FactText({ fact }: { fact: Fact }) {
  return (
    <span className="fact">
      {fact.name && <span className="faint">{fact.name}</span>}
      {fact.name && " "}
      {fact.text !== undefined && (
        <span className="num">
          <SafeText text={fact.text} />
        </span>
      )}
      {fact.code?.map((code, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: examples may repeat.
        <span key={n}>
          {n > 0 && " "}
          <code className="lit">
            <SafeText text={code} />
          </code>
        </span>
      ))}
    </span>
  );
}

/** The values that an enum allows, the first twenty at first. */
export function EnumValues({ values }: { values: readonly string[] }) {
  const [shown, setShown] = useState(firstValues);
  if (values.length === 0) return null;
  const rest = values.length - shown;
  return (
    <div className="arg-enum">
      {values.slice(0, shown).map((value, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a schema may name a value twice.
        <span className="chip" key={n}>
          <SafeText text={value === "" ? '""' : value} />
        </span>
      ))}
      {rest > 0 && (
        <button
          type="button"
          className="link small"
          onClick={(event) => {
            // With the last values it goes itself.
            if (rest <= moreValues) event.currentTarget.closest<HTMLElement>(".arg")?.focus();
            setShown(shown + moreValues);
          }}
        >
          {words.args.moreValues(count(rest))}
        </button>
      )}
    </div>
  );
}
