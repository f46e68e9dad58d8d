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
import { unconnected } from "./names";
import { failedTitle, type Notice, noticeOf } from "./notice";
import { seconds } from "./status-word";
import type { Model } from "./use-model";
import { words } from "./words";

interface StateProps {
  session: string;
  model: Model;
  server: t.event.Server;
}

/** One line over the list: that it is not live, not the newest, or has no figures. */
export function ServerNotice({ session, model, server }: StateProps) {
  const { store, backend, retry } = useKandev();
  const notice = noticeOf(model, server);
  if (!notice) return null;
  const start = () => {
    backend.startSession(session).catch((error) => actions.report(store, sentence(error)));
  };
  return (
    <div className="ex-notice">
      <NoticeMark kind={notice.kind} />
      <span className="grow">
        <SafeText text={notice.text} />
      </span>
      {notice.kind === "past" && (
        <Button small onClick={start}>
          {words.notice.start}
        </Button>
      )}
      {notice.kind === "stale" && (
        <Button small onClick={() => retry(`attachment/${session}`)}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}

function NoticeMark({ kind }: { kind: Notice["kind"] }) {
  switch (kind) {
    case "past":
      return <StatusShape shape="last" tone="idle" />;
    case "closed":
      return <StatusShape shape="disconnected" tone="idle" />;
    case "changed":
      return <Icon name="loop" />;
    case "uncounted":
      return <Icon name="info" />;
  }
  return <StatusShape shape="failed" tone="bad" />;
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
