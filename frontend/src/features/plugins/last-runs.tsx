import type * as t from "../../backend/types";
import { clock, duration } from "../../lib/format";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { words } from "./words";

/** How the last calls of a plugin ended. Arguments and results are kept nowhere. */
export function LastRuns({ plugin }: { plugin: t.Plugin }) {
  const w = words.runs;
  const original = (served: string) =>
    plugin.tools.find((tool) => tool.served === served)?.original ?? served;
  return (
    <section>
      <h3 className="cap">
        {w.title}
        <span className="grow" />
        <span className="cap-note">{w.note}</span>
      </h3>
      {plugin.runs.length === 0 && <p className="faint">{w.none}</p>}
      {plugin.runs.length > 0 && (
        <table className="pl-table num">
          <tbody>
            {plugin.runs.map((run, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other identity.
              <tr key={n}>
                <td className="faint">{clock(run.at)}</td>
                <td className="mono wrap">
                  {run.tool ? (
                    <SafeText text={original(run.tool)} />
                  ) : (
                    <span className="faint">{w.load}</span>
                  )}
                </td>
                <td>
                  <span className={run.outcome === "ok" ? "row" : "row pl-bad"}>
                    <StatusShape
                      shape={run.outcome === "ok" ? "done" : "failed"}
                      tone={run.outcome === "ok" ? "idle" : "bad"}
                    />
                    <span>{w.outcomes[run.outcome] ?? run.outcome}</span>
                  </span>
                  {run.line && (
                    <p className="soft small wrap">
                      <SafeText text={run.line} />
                    </p>
                  )}
                </td>
                <td className="faint pl-end">{duration(run.ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
