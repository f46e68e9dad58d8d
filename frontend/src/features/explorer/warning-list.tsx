import { codePoint } from "../../lib/hidden";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import type { Warning } from "./warnings";
import { words } from "./words";

/** What may go wrong with a tool: what happens, and where that is known from. */
export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="warns" aria-label={words.warnings}>
      {warnings.map((warning) => (
        <div className="warn-item" key={warning.id}>
          <span className={warning.level === "warn" ? "warn-mark" : undefined}>
            <Icon name={warning.level === "warn" ? "warn" : "info"} />
          </span>
          <div>
            <h3>
              <SafeText text={warning.title} />
              {warning.hidden.map((character) => (
                <span key={character}>
                  {" "}
                  <span className="cp">{codePoint(character)}</span>
                </span>
              ))}
            </h3>
            <p>{warning.text}</p>
            <p className="faint small">{warning.source}</p>
          </div>
        </div>
      ))}
    </section>
  );
}
