import type { Backend } from "../../backend/backend";
import { sentence } from "../../backend/error";
import type { event } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { AskOnce, useAsking } from "../../ui/ask-once";
import { Button, IconButton } from "../../ui/button";
import { focusStart } from "../../ui/focus-start";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { words } from "../../words";
import { UncleanEnd } from "./unclean-end";
import "./notices.css";

// What the button of a notice does, by the id that the app gave.
const doings: Record<string, (backend: Backend) => Promise<unknown>> = {
  open_data_folder: (backend) => backend.openFolder("data"),
  delete_broken: (backend) => backend.deleteBroken(),
  choose_folder: (backend) =>
    backend.chooseFolder().then((path) => (path ? backend.addProject(path) : undefined)),
};

/** Sentences across the window. One of the app's stays until its cause is gone. */
export function Notices() {
  const notices = useKandevState((state) => state.notices);
  const link = useKandevState((state) => state.link);
  const reason = useKandevState((state) => state.linkError);
  const booted = useKandevState((state) => state.epoch !== "");
  return (
    <section className="notices" aria-label={words.notices}>
      {link === "reconnecting" && booted && (
        <div className="notice" role="status">
          <StatusShape shape="starting" tone="idle" />
          <span className="grow">
            <b className="medium">{words.link.reconnecting}.</b> <SafeText text={words.link.kept(reason)} />
          </span>
        </div>
      )}
      {notices.map((notice) =>
        notice.action === "unclean_report" ? (
          <UncleanEnd key={notice.id} notice={notice} />
        ) : (
          <NoticeLine key={notice.id} notice={notice} />
        ),
      )}
    </section>
  );
}

function NoticeLine({ notice }: { notice: event.Notice }) {
  const { store, backend } = useKandev();
  const action = notice.action ?? "";
  const doing = doings[action];
  const { asking, kept, ask, keep, end } = useAsking();
  const run = () => {
    doing?.(backend).catch((error) => actions.report(store, sentence(error)));
  };
  if (asking)
    return (
      <div className="notice" role="status">
        <Icon name="warn" />
        <AskOnce
          text={words.deleteBroken.ask}
          label={words.deleteBroken.button}
          onYes={() => {
            end();
            focusStart(); // the notice goes
            run();
          }}
          onKeep={keep}
        />
      </div>
    );
  return (
    <div className="notice" role={notice.kind === "error" ? "alert" : "status"}>
      {notice.kind === "error" ? (
        <StatusShape shape="failed" tone="bad" />
      ) : (
        <Icon name={notice.kind === "warning" ? "warn" : "info"} />
      )}
      <span className="grow">
        <SafeText text={notice.text} />
      </span>
      {doing && (
        <Button small autoFocus={kept} onClick={action === "delete_broken" ? ask : run}>
          {words.notice[action]}
        </Button>
      )}
      {action === "dismiss" && (
        <IconButton
          small
          icon="x"
          label={words.close}
          onClick={() => {
            focusStart();
            actions.dismiss(store, backend, notice.id);
          }}
        />
      )}
    </div>
  );
}
