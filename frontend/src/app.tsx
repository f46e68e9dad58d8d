import { Component, type ReactNode, useMemo } from "react";
import { useCommands } from "./app-commands";
import { useAgents, useFolders, useTheme } from "./app-effects";
import { useHotkeys } from "./app-keys";
import { Composer } from "./features/conversation/composer";
import { Conversation } from "./features/conversation/conversation";
import { Explorer } from "./features/explorer/explorer";
import { Notices } from "./features/notices/notices";
import { PermissionCard } from "./features/permission/permission-card";
import { EnablePlugin } from "./features/plugins/enable-dialog";
import { InstallPlugin } from "./features/plugins/install-dialog";
import { Plugins } from "./features/plugins/plugins-page";
import { RemovePlugin } from "./features/plugins/remove-dialog";
import { QuestionCard } from "./features/question/question-card";
import { QuitQuestion } from "./features/quit/quit-question";
import { AddProject } from "./features/sessions/add-project";
import { AskValues } from "./features/sessions/ask-values";
import { Bench } from "./features/sessions/bench";
import { MissingProject } from "./features/sessions/missing-project";
import { NewSession } from "./features/sessions/new-session";
import { Rail } from "./features/sessions/rail";
import { RemoveProject } from "./features/sessions/remove-project";
import { DeleteSession, RenameSession } from "./features/sessions/session-dialogs";
import { TopBar } from "./features/sessions/top-bar";
import { Keys } from "./features/settings/keys";
import { Palette } from "./features/settings/palette";
import { Settings } from "./features/settings/settings";
import * as actions from "./state/actions";
import { type Kandev, KandevContext, useKandev, useKandevState } from "./state/use";
import { Button } from "./ui/button";
import { Dialog } from "./ui/dialog";
import { EmptyState } from "./ui/empty-state";
import { OpenLink } from "./ui/link";
import { SafeText } from "./ui/safetext";
import { Skeleton } from "./ui/skeleton";
import { words } from "./words";
import "./app.css";

/** The window: rail, the session on screen, and what lies over them. */
export function App({ kandev }: { kandev: Kandev }) {
  const open = useMemo(
    () => (url: string) => {
      kandev.backend.openURL(url).catch((error) => actions.report(kandev.store, String(error.message)));
    },
    [kandev],
  );
  return (
    <KandevContext value={kandev}>
      <OpenLink value={open}>
        <Boundary>
          <Shell />
        </Boundary>
      </OpenLink>
    </KandevContext>
  );
}

function Shell() {
  useTheme();
  useAgents();
  useFolders();
  useHotkeys();
  return (
    <div className="app">
      <Rail />
      <main className="main">
        <Main />
      </main>
      <Drawer />
      <Over />
    </div>
  );
}

// A view that belongs to no session, or the session on screen.
function Main() {
  const page = useKandevState((state) => state.page);
  if (page === "plugins") return <Plugins notices={<Notices />} />;
  return (
    <>
      <TopBar />
      <Notices />
      <MissingProject />
      <Work />
    </>
  );
}

// The session on screen, or why there is none.
function Work() {
  const { store } = useKandev();
  const session = useKandevState((state) => state.sessions[state.session]);
  const booted = useKandevState((state) => state.epoch !== "");
  const link = useKandevState((state) => state.link);
  const error = useKandevState((state) => state.linkError);
  const project = useKandevState((state) => state.project);
  if (session) {
    return (
      <>
        <Conversation
          key={session.id}
          session={session.id}
          embedded={session.embedded}
          head={session.embedded ? <Bench session={session} /> : undefined}
          renderQuestion={(id) => <QuestionCard id={id} />}
          renderPermission={(id) => <PermissionCard id={id} />}
        />
        <Composer key={`composer/${session.id}`} session={session} embedded={session.embedded} />
      </>
    );
  }
  if (!booted && link === "reconnecting") {
    return (
      <EmptyState shape={{ shape: "starting", tone: "idle" }} title={`${words.link.reconnecting}.`}>
        <SafeText text={words.link.kept(error)} />
      </EmptyState>
    );
  }
  if (!booted) {
    return (
      <div className="column">
        <Skeleton rows={4} />
      </div>
    );
  }
  return (
    <EmptyState
      icon={project ? "plus" : "folder"}
      title={`${project ? words.session.none : words.rail.noProject}.`}
      actions={
        <Button onClick={() => actions.openDialog(store, project ? "new-session" : "add-project")}>
          {project ? words.rail.newSession : words.project.add}
        </Button>
      }
    >
      {project ? words.session.noneHint : words.rail.noProjectHint}
    </EmptyState>
  );
}

// The rail over a narrow window.
function Drawer() {
  const { store } = useKandev();
  const open = useKandevState((state) => state.drawer);
  return (
    <Dialog
      bare
      open={open}
      onOpenChange={(next) => store.setState({ drawer: next })}
      title={words.rail.show}
      className="drawer"
      scrimClassName="drawer-scrim"
    >
      <Rail />
    </Dialog>
  );
}

// Dialogs; at most one is open.
function Over() {
  const { store } = useKandev();
  const dialog = useKandevState((state) => state.dialog);
  const session = useKandevState((state) => state.session);
  const explorer = useKandevState((state) => state.explorer);
  const commands = useCommands(dialog === "palette");
  const close = () => actions.closeDialog(store);
  // A project may be added on the way to a new session.
  const addClosed = () =>
    store.getState().subject === "new-session" ? actions.openDialog(store, "new-session") : close();
  return (
    <>
      <NewSession open={dialog === "new-session"} onClose={close} />
      <AddProject open={dialog === "add-project"} onClose={addClosed} />
      <RenameSession open={dialog === "rename"} onClose={close} />
      <DeleteSession open={dialog === "delete"} onClose={close} />
      <RemoveProject open={dialog === "remove-project"} onClose={close} />
      <InstallPlugin open={dialog === "install-plugin"} onClose={close} />
      <EnablePlugin open={dialog === "enable-plugin"} onClose={close} />
      <RemovePlugin open={dialog === "remove-plugin"} onClose={close} />
      <Settings open={dialog === "settings"} onClose={close} />
      <Keys open={dialog === "keys"} onClose={close} />
      <Palette open={dialog === "palette"} onClose={close} commands={commands} />
      {session !== "" && (
        <Explorer
          key={session}
          session={session}
          open={explorer}
          onOpenChange={(open) => actions.setExplorer(store, open)}
        />
      )}
      <AskValues />
      <QuitQuestion />
    </>
  );
}

/**
 * What is shown when a view itself fails: the sessions run on in the app, and the window can be closed,
 * which asks about them. A quiet one shows nothing instead.
 */
class Boundary extends Component<{ children: ReactNode; quiet?: boolean }, { error: string }> {
  override state = { error: "" };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.error === "") return this.props.children;
    if (this.props.quiet) return null;
    return (
      <>
        <EmptyState
          shape={{ shape: "failed", tone: "bad" }}
          title={`${words.link.crashed}.`}
          actions={<Button onClick={() => location.reload()}>{words.link.reload}</Button>}
        >
          {words.link.crashedKept} <span className="mono">{this.state.error}</span>
        </EmptyState>
        <Boundary quiet>
          <QuitQuestion />
        </Boundary>
      </>
    );
  }
}
