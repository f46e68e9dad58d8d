import type { ReactNode } from "react";
import { sentence } from "../../backend/error";
import type * as t from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { serverStatus } from "../../ui/status";
import { copyText, useSaid } from "./copy-menu";
import { changedHint, unconnected } from "./names";
import { seconds } from "./status-word";
import type { Model } from "./use-model";
import { words } from "./words";

interface StateProps {
  session: string;
  model: Model;
  server: t.event.Server;
}

/** One line over the list: that it is not live, not the newest, or has no figures. The first that is so. */
export function ServerNotice({ session, model, server }: StateProps) {
  const { store, backend, retry } = useKandev();
  const live = model.summary?.live ?? false;
  const { notice } = words;
  const agent = model.agent.name;
  const listed = server.tool_count !== undefined;
  const start = () => {
    backend.startSession(session).catch((error) => actions.report(store, sentence(error)));
  };
  const line = (mark: ReactNode, text: string, action?: ReactNode) => (
    <div className="ex-notice" role="status">
      {mark}
      <span className="grow">
        <SafeText text={text} />
      </span>
      {action}
    </div>
  );
  if (!live)
    return line(
      <StatusShape shape="last" tone="idle" />,
      notice.past(agent),
      <Button small onClick={start}>
        {notice.start}
      </Button>,
    );
  if (server.status === "failed" && listed)
    return line(
      <StatusShape shape="failed" tone="bad" />,
      [server.summary ?? failedTitle(server), words.state.failedList].join(" "),
    );
  if (server.status === "disconnected" && listed)
    return line(<StatusShape shape="disconnected" tone="idle" />, notice.closed(agent));
  if (model.error && listed)
    return line(
      <StatusShape shape="failed" tone="bad" />,
      `${words.loadAgainFailed} ${model.error}`,
      <Button small onClick={() => retry(`attachment/${session}`)}>
        {words.retry}
      </Button>,
    );
  const uncounted = (server.tool_count ?? 0) > 0 && server.tokens_total === undefined && !server.counting;
  if (!server.tools_changed && !uncounted) return null;
  const changed = server.tools_changed ? `${notice.changed} ${changedHint(model.agent)}` : "";
  return line(
    <Icon name={server.tools_changed ? "loop" : "info"} />,
    [changed, uncounted ? notice.noEstimate : ""].filter(Boolean).join(" "),
  );
}

function failedTitle(server: t.event.Server): string {
  return words.state.failed(server.times.failed ? seconds(server.times.failed) : words.never);
}

/** Where the first row would be: no list yet, an empty one, or why there will be none. */
export function NoTools({ session, model, server }: StateProps) {
  const live = model.summary?.live ?? false;
  const { shape, tone } = serverStatus(server.status, live);
  const mark = { shape, tone };
  const { state } = words;
  const agent = model.agent.name;
  if (server.status === "failed") return <Failed session={session} server={server} />;
  if (server.status === "filtered" || server.status === "unavailable")
    return (
      <EmptyState shape={mark} title={state.notGiven(agent)}>
        <SafeText text={server.summary || state.notGivenHint} />
      </EmptyState>
    );
  if (server.tool_count === undefined) {
    const at = server.times.connected;
    return (
      <EmptyState shape={mark} title={state.notListed}>
        {live && (at ? state.notListedConnected(agent, seconds(at)) : state.notListedDelivered(agent))}{" "}
        {unconnected(server, model.agent, live)}
      </EmptyState>
    );
  }
  return (
    <EmptyState shape={mark} title={state.noTools}>
      {server.times.listed !== undefined && state.noToolsHint(seconds(server.times.listed))}
    </EmptyState>
  );
}

function Failed({ session, server }: { session: string; server: t.event.Server }) {
  const { store, backend } = useKandev();
  const [said, run] = useSaid();
  const start = () => {
    backend.startSession(session).catch((error) => actions.report(store, sentence(error)));
  };
  return (
    <EmptyState
      shape={{ shape: "failed", tone: "bad" }}
      title={failedTitle(server)}
      actions={
        <>
          <Button onClick={start}>{words.notice.start}</Button>
          <Button kind="quiet" onClick={() => run(() => copyText(backend.diagnostics(session)))}>
            {words.copyDiagnostics}
          </Button>
          <span className="faint small" role="status">
            {said}
          </span>
        </>
      }
    >
      {server.summary && (
        <>
          <SafeText text={server.summary} />{" "}
        </>
      )}
      {words.state.failedHint}
    </EmptyState>
  );
}
