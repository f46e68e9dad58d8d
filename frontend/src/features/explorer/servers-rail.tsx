import type { KeyboardEvent } from "react";
import type * as t from "../../backend/types";
import { count, tokens } from "../../lib/format";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { serverStatus } from "../../ui/status";
import { EarlierAttempt } from "./earlier-attempt";
import { statusWord } from "./status-word";
import type { Model } from "./use-model";
import { words } from "./words";
import "./servers-rail.css";

export interface ServersRailProps {
  model: Model;
  current: string;
  onChoose: (name: string) => void;
}

/** The first level: our server, the person's own ones, and what earlier attempts were. */
export function ServersRail({ model, current, onChoose }: ServersRailProps) {
  const servers = model.summary?.servers ?? [];
  const live = model.summary?.live ?? false;
  const group = (title: string, own: boolean) => {
    const rows = servers.filter((server) => (server.source === "builtin") === own);
    if (rows.length === 0) return null;
    return (
      <>
        <h3 className="group">{title}</h3>
        {rows.map((server) => (
          <ServerRow
            key={server.name}
            server={server}
            live={live}
            current={server.name === current}
            onChoose={() => onChoose(server.name)}
          />
        ))}
      </>
    );
  };
  return (
    <nav className="ex-rail" aria-label={words.servers}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons inside. */}
      <div className="scroll grow" onKeyDown={moveFocus}>
        {group(words.builtin, true)}
        {group(words.yours, false)}
        {model.earlier.length > 0 && <h3 className="group">{words.earlier}</h3>}
        {model.earlier.map((attempt) => (
          <EarlierAttempt key={attempt.id} attempt={attempt} />
        ))}
      </div>
      <p className="rail-note">{words.noteSees}</p>
      <p className="rail-note">{words.noteEstimate}</p>
    </nav>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".srv")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
  event.preventDefault();
}

interface ServerRowProps {
  server: t.event.Server;
  live: boolean;
  current: boolean;
  onChoose: () => void;
}

function ServerRow({ server, live, current, onChoose }: ServerRowProps) {
  const { shape, tone } = serverStatus(server.status, live);
  return (
    <button type="button" className="item srv" aria-current={current || undefined} onClick={onChoose}>
      <StatusShape shape={shape} tone={tone} />
      <span className="srv-text">
        <span className="srv-line">
          <span className="mono cut">
            <SafeText text={server.name} />
          </span>
          <span className="count end">{server.tool_count !== undefined && count(server.tool_count)}</span>
        </span>
        <span className="srv-note">
          {statusWord(server, live)}
          {server.tokens_total !== undefined && (
            <>
              , <span className="num">{tokens(server.tokens_total)}</span>
            </>
          )}
        </span>
      </span>
    </button>
  );
}
