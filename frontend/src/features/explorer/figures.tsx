import type * as t from "../../backend/types";
import { count, known, tokenFigure } from "../../lib/format";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Icon } from "../../ui/icon";
import { Select } from "../../ui/select";
import { Tip } from "../../ui/tip";
import { measuredWith } from "./names";
import { words } from "./words";

const windows = [
  { value: "128000", label: "128k" },
  { value: "200000", label: "200k" },
  { value: "1000000", label: "1M" },
];

/** How many tools were served, and how large their definitions are. */
export function Figures({ server, agent }: { server: t.event.Server; agent: t.AgentNames }) {
  const { figures } = words;
  const n = server.tool_count;
  const total = server.tokens_total;
  const how = [words.estimateHow, ...deferral(agent)].join(" ");
  return (
    <dl className="figs">
      <div>
        <dt className="sr">{figures.tools}</dt>
        <dd>
          <span className={n === undefined ? "fig num fig-none" : "fig num"}>{known(n)}</span>{" "}
          <span className="fig-unit">{n === 1 ? figures.tool : figures.tools}</span>
        </dd>
        <dd className="fig-note num">{storedNote(server)}</dd>
      </div>
      {n !== undefined && n > 0 && (
        <div>
          <dt className="sr">{figures.tokens}</dt>
          <dd className="fig-line">
            <span className={total === undefined ? "fig num fig-none" : "fig num"}>{tokenFigure(total)}</span>
            <span className="fig-unit">{total === 1 ? figures.token : figures.tokens}</span>
            <Tip text={how}>
              <button
                type="button"
                className="fig-info"
                aria-label={words.estimateLabel}
                aria-description={how}
              >
                <Icon name="info" />
              </button>
            </Tip>
          </dd>
          <dd className="fig-note num">
            {total === undefined ? (
              server.counting ? (
                figures.counting
              ) : (
                figures.noEstimate
              )
            ) : (
              <Share total={total} covers={server.tokens_cover < n ? server.tokens_cover : undefined} />
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

function storedNote(server: t.event.Server): string {
  const { figures } = words;
  if (server.tool_count === undefined) return figures.notServed;
  if (server.tool_count === 0) return "";
  return server.stored < server.tool_count
    ? figures.stored(count(server.stored), count(server.tool_count))
    : figures.allStored;
}

function Share({ total, covers }: { total: number; covers?: number }) {
  const { store, backend } = useKandev();
  const chosen = useKandevState((state) => state.settings.context_window) || 200_000;
  const percent = (100 * total) / chosen;
  const known = windows.some((one) => one.value === String(chosen));
  const options = known ? windows : [...windows, { value: String(chosen), label: count(chosen) }];
  const save = (value: string) => {
    actions.saveSettings(store, backend, { context_window: Number(value) }).catch((error) => {
      actions.report(store, String(error.message));
    });
  };
  return (
    <>
      {covers !== undefined && <span>{words.figures.covers(count(covers))},</span>}
      {words.figures.share(percentText(percent))}
      <Select
        label={words.figures.window}
        labelHidden
        value={String(chosen)}
        options={options}
        onChange={save}
      />
      <span className="meter" aria-hidden="true">
        <i style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
    </>
  );
}

/** "9.2", "0.4", "120": one decimal below ten, and never a zero for something. */
export function percentText(percent: number): string {
  if (percent === 0) return "0";
  if (percent < 0.1) return "< 0.1";
  return percent < 9.95 ? percent.toFixed(1) : count(Math.round(percent));
}

/** Definitions that the model does not see up front take no room there until it asks for them. */
export function deferral(agent: t.AgentNames): string[] {
  if (!agent.defers) return [];
  return [agent.client.deferred ?? words.defers(agent.name), measuredWith(agent)].filter(Boolean);
}
