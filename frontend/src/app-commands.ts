import { useMemo } from "react";
import { sentence } from "./backend/error";
import type { event } from "./backend/types";
import type { Command } from "./features/settings/palette";
import * as actions from "./state/actions";
import { agentName } from "./state/agent-name";
import { projectList } from "./state/select";
import type { State } from "./state/store";
import { type Kandev, useKandev, useKandevState } from "./state/use";
import { isLive, sessionStatus } from "./ui/status";
import { words } from "./words";

const none: Command[] = [];

/** Every action that exists now, then every session and project. Empty while the palette is closed. */
export function useCommands(open: boolean): Command[] {
  const kandev = useKandev();
  const state = useKandevState((state) => (open ? state : null));
  return useMemo(
    () => (state ? [...actionsNow(kandev, state), ...places(kandev, state)] : none),
    [kandev, state],
  );
}

function actionsNow(kandev: Kandev, state: State): Command[] {
  const { store, backend } = kandev;
  const show = (which: "data" | "logs") => () => {
    backend.openFolder(which).catch((error) => actions.report(store, sentence(error)));
  };
  const group = words.palette.actions;
  const dialog = (name: Parameters<typeof actions.openDialog>[1]) => () => actions.openDialog(store, name);
  return [
    { id: "new", group, label: words.rail.newSession, icon: "plus", keys: "N", run: dialog("new-session") },
    ...newWith(kandev, state),
    { id: "add", group, label: words.project.add, icon: "folder", run: dialog("add-project") },
    ...projectActions(kandev, state),
    ...sessionActions(kandev, state),
    {
      id: "plugins",
      group,
      label: words.rail.plugins,
      icon: "cube",
      run: () => actions.openPlugins(store),
    },
    {
      id: "install-plugin",
      group,
      label: words.palette.installPlugin,
      icon: "cube",
      run: () => actions.openInstall(store),
    },
    { id: "settings", group, label: words.rail.settings, icon: "sliders", run: dialog("settings") },
    ...settingsPages(kandev),
    { id: "logs", group, label: words.settings.openLogs, icon: "file", run: show("logs") },
    { id: "data", group, label: words.settings.openData, icon: "folder", run: show("data") },
    { id: "keys", group, label: words.rail.keys, icon: "help", keys: "?", run: dialog("keys") },
  ];
}

function settingsPages({ store }: Kandev): Command[] {
  return (["agents", "servers", "storage"] as const).map((page) => ({
    id: `settings-${page}`,
    group: words.palette.actions,
    label: words.palette.settings(words.settings.pages[page]),
    icon: "sliders",
    run: () => actions.openDialog(store, "settings", page),
  }));
}

// What can be done to the open project: removed, and given another folder when its own is gone.
function projectActions({ store, backend }: Kandev, state: State): Command[] {
  const project = state.projects[state.project];
  if (!project) return [];
  const group = words.palette.actions;
  const again: Command = {
    id: "choose-again",
    group,
    label: words.palette.chooseAgain(project.name),
    icon: "folder",
    run: () => actions.openDialog(store, "add-project", project.id),
  };
  const remove: Command = {
    id: "remove-project",
    group,
    label: words.palette.removeProject(project.name),
    icon: "x",
    run: () => actions.removeProject(store, backend, project.id),
  };
  return project.missing ? [again, remove] : [remove];
}

// One entry for each agent that is here; the dialog opens with it chosen.
function newWith({ store }: Kandev, state: State): Command[] {
  const here = (state.agents ?? []).filter((agent) => agent.installed);
  return here.map((agent) => ({
    id: `new-${agent.id}`,
    group: words.palette.actions,
    label: words.palette.newWith(agent.name),
    icon: "plus",
    run: () => actions.openDialog(store, "new-session", agent.id),
  }));
}

function sessionActions({ store, backend }: Kandev, state: State): Command[] {
  const session = state.sessions[state.session];
  if (!session) return [];
  const group = words.palette.actions;
  const ask = (work: () => Promise<unknown>) => () => {
    work().catch((error) => actions.report(store, sentence(error)));
  };
  const id = session.id;
  const list: Command[] = [
    {
      id: "explorer",
      group,
      label: words.palette.explorer,
      icon: "plug",
      keys: "Mod+Shift+M",
      run: () => actions.setExplorer(store, true),
    },
    {
      id: "rename",
      group,
      label: words.session.rename,
      icon: "pencil",
      run: () => actions.openDialog(store, "rename", id),
    },
  ];
  if (!isLive(session)) list.push(...restingActions(session, backend, ask));
  if (session.state === "working")
    list.push({
      id: "cancel",
      group,
      label: words.session.cancelTurn,
      icon: "stop",
      run: ask(() => backend.cancelTurn(id)),
    });
  if ((session.state === "ready" || !isLive(session)) && !session.gone)
    list.push({
      id: "reset",
      group,
      label: words.session.reset,
      icon: "drop",
      run: ask(() => backend.resetSession(id)),
    });
  if (isLive(session))
    list.push({
      id: "stop",
      group,
      label: words.session.stopAgent,
      icon: "stop",
      run: ask(() => backend.stopSession(id)),
    });
  list.push(
    {
      id: "delete",
      group,
      label: words.session.remove,
      icon: "x",
      run: () => actions.openDialog(store, "delete", id),
    },
    {
      id: "diagnostics",
      group,
      label: words.palette.diagnostics,
      icon: "copy",
      run: ask(async () => navigator.clipboard.writeText(await backend.diagnostics(id))),
    },
  );
  return list;
}

// What an agent that runs would only refuse.
function restingActions(
  session: event.Session,
  backend: Kandev["backend"],
  ask: (work: () => Promise<unknown>) => () => void,
): Command[] {
  const group = words.palette.actions;
  const start: Command = {
    id: "start",
    group,
    label: words.session.start,
    icon: "loop",
    run: ask(() => backend.startSession(session.id)),
  };
  return [
    ...(session.gone ? [] : [start]),
    {
      id: "archive",
      group,
      label: session.archived ? words.session.bringBack : words.session.archive,
      icon: "drop",
      run: ask(() => backend.archiveSession(session.id, !session.archived)),
    },
  ];
}

function places({ store }: Kandev, state: State): Command[] {
  const sessions = Object.values(state.sessions)
    .sort((a, b) => Number(a.archived) - Number(b.archived) || b.seq - a.seq)
    .map((session): Command => {
      const title = state.tasks[session.task]?.title || words.rail.missingTask;
      const note = `${agentName(session, state.agents)}, ${session.archived ? words.session.archivedNote : sessionStatus(session).word.toLowerCase()}`;
      return {
        id: session.id,
        group: words.palette.sessions,
        label: title,
        note,
        icon: "term",
        run: () => actions.openSession(store, session.id),
      };
    });
  const projects = projectList(state.projects).map(
    (project): Command => ({
      id: project.id,
      group: words.palette.projects,
      label: project.name,
      note: project.missing ? words.project.notFound : undefined,
      icon: "folder",
      run: () => actions.openProject(store, project.id),
    }),
  );
  return [...sessions, ...projects];
}
