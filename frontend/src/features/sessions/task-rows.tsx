import { memo } from "react";
import type { event } from "../../backend/types";
import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { agentName } from "../../state/agent-name";
import type { TaskRow } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { SafeText } from "../../ui/safetext";
import { sessionStatus } from "../../ui/status";
import { StatusDot } from "../../ui/status-dot";
import { words } from "../../words";

/** A task and below it its sessions, each with the word and the shape of its state. */
export function TaskRows({ row }: { row: TaskRow }) {
  const { store } = useKandev();
  const title = row.task.title || words.rail.missingTask;
  const first = row.sessions[0];
  return (
    <>
      {first ? (
        <button
          type="button"
          className="item task"
          tabIndex={-1}
          title={plainMarked(title)}
          onClick={() => actions.openSession(store, first.id)}
        >
          <span className="cut">
            <SafeText text={title} />
          </span>
        </button>
      ) : (
        <div className="item task is-bare" title={plainMarked(title)}>
          <span className="cut">
            <SafeText text={title} />
          </span>
        </div>
      )}
      {row.sessions.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </>
  );
}

const SessionRow = memo(function SessionRow({ session }: { session: event.Session }) {
  const { store } = useKandev();
  const agent = useKandevState((state) => agentName(session, state.agents));
  const current = useKandevState((state) => state.page === "session" && state.session === session.id);
  return (
    <button
      type="button"
      className="item session"
      aria-current={current || undefined}
      title={session.reason ? plainMarked(session.reason) : undefined}
      onClick={() => actions.openSession(store, session.id)}
    >
      <span className="cut">
        <SafeText text={agent} />
      </span>
      <span className="end">
        <StatusDot status={sessionStatus(session)} />
      </span>
    </button>
  );
});
