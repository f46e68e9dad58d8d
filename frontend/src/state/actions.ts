import type { Backend } from "../backend/backend";
import { sentence } from "../backend/error";
import type * as t from "../backend/types";
import { words } from "../words";
import * as reduce from "./reduce";
import { holdsWork } from "./select";
import type { AnswerDraft, CardKind, DialogName, SessionDraft, Store } from "./store";

// What the person does to the window itself. What is done to the app goes through the backend, and
// comes back as events.

export function openSession(store: Store, id: string) {
  store.setState((state) => ({ ...reduce.open(state, id), drawer: false, dialog: "" as const }), true);
}

export function openProject(store: Store, id: string) {
  store.setState((state) => reduce.openProject(state, id), true);
}

export function openDialog(store: Store, dialog: DialogName, subject = "") {
  store.setState({ dialog, subject, drawer: false });
}

export function closeDialog(store: Store) {
  store.setState({ dialog: "" });
}

/** Shows the page of plugins, on one of them where it is named. */
export function openPlugins(store: Store, plugin = "") {
  store.setState((state) => ({
    page: "plugins" as const,
    plugin: plugin || state.plugin,
    explorer: false,
    dialog: "" as const,
    drawer: false,
  }));
}

/** Pulls the plugins now, after a change of the person's own, instead of when the stream tells of it. */
export async function refreshPlugins(store: Store, backend: Backend) {
  const plugins = await backend.plugins();
  store.setState((state) => reduce.applyPlugins(state, plugins), true);
}

/** Asks for what a plugin wants; pulls it first, because what it wants may have changed a moment ago. */
export async function openEnable(store: Store, backend: Backend, plugin: string) {
  await refreshPlugins(store, backend);
  openDialog(store, "enable-plugin", plugin);
}

/** Looks at a plugin's file, over the page of plugins; without a path the person names one. */
export function openInstall(store: Store, path = "") {
  openPlugins(store);
  openDialog(store, "install-plugin", path);
}

export function setExplorer(store: Store, open: boolean) {
  store.setState((state) => ({ explorer: open && state.session !== "", dialog: "" as const }));
}

export function setDraft(store: Store, session: string, text: string) {
  store.setState((state) => ({ drafts: { ...state.drafts, [session]: text } }));
}

/** Has the content of a card pulled while it is in the window; what it answers ends that. */
export function showCard(store: Store, kind: CardKind, id: string): () => void {
  store.setState((state) => ({ cards: { ...state.cards, [id]: kind } }));
  return () => {
    store.setState((state) => {
      const { [id]: _, ...cards } = state.cards;
      return { cards };
    });
  };
}

/** Keeps what was chosen and written for the questions of a bundle, until they are answered. */
export function setAnswers(store: Store, question: string, drafts: Record<string, AnswerDraft>) {
  store.setState((state) => ({ answers: { ...state.answers, [question]: drafts } }));
}

/** Keeps what was typed for a new session, until it was started. */
export function setNewSession(store: Store, change: Partial<SessionDraft>) {
  store.setState((state) => ({ newSession: { ...state.newSession, ...change } }));
}

/** Looks up the agents of this machine; what it found stays when it fails. */
export async function lookUpAgents(store: Store, backend: Backend) {
  const agents = await backend.agents();
  store.setState({ agents });
}

/** Shows a setting at once and saves it; what could not be saved is shown as it was. */
export async function saveSettings(store: Store, backend: Backend, change: Partial<t.Settings>) {
  const before = store.getState().settings;
  const settings = { ...before, ...change };
  store.setState({ settings });
  try {
    await backend.saveSettings(settings);
  } catch (thrown) {
    if (store.getState().settings === settings) store.setState({ settings: before });
    throw thrown;
  }
}

/** Starts a session and opens it once the stream has told of it; resolves then, at the latest after 10 s. */
export async function startNew(store: Store, backend: Backend, request: t.NewSession) {
  const id = await backend.newSession(request);
  await new Promise<void>((done) => {
    const look = () => {
      if (store.getState().sessions[id]) done();
    };
    const off = store.subscribe(look);
    setTimeout(() => {
      off();
      done();
    }, 10_000);
    look();
  });
  openSession(store, id);
  setNewSession(store, { title: "", prompt: "" });
}

/** Adds a folder as a project and opens it; the stream may tell of it later. */
export async function addProject(store: Store, backend: Backend, path: string) {
  const project = await backend.addProject(path);
  store.setState((state) => {
    const known = { ...state, projects: { ...state.projects, [project.id]: project } };
    return reduce.openProject(known, project.id);
  }, true);
  return project;
}

/** Gives a project another folder; the stream may tell of it later. */
export async function moveProject(store: Store, backend: Backend, id: string, path: string) {
  const project = await backend.moveProject(id, path);
  store.setState((state) => ({ projects: { ...state.projects, [project.id]: project } }));
}

/** Takes a project off the list; asked first where sessions or tasks would go with it. */
export function removeProject(store: Store, backend: Backend, id: string) {
  if (holdsWork(store.getState(), id)) return openDialog(store, "remove-project", id);
  backend.removeProject(id).catch((error) => report(store, sentence(error)));
}

/** A plugin's file, by its name: what it holds is looked at when it is inspected. */
const pluginFile = /\.(wasm|zip)$/i;

/**
 * Makes a project of a folder that was dropped on the window, and asks for its first session. A plugin's
 * file is looked at instead.
 */
export async function dropped(store: Store, backend: Backend, paths: string[]) {
  const { epoch, quit } = store.getState();
  const [path] = paths;
  if (path === undefined || epoch === "" || quit) return;
  if (paths.length > 1)
    return report(
      store,
      paths.some((one) => pluginFile.test(one)) ? words.dropOnePlugin : words.project.dropOne,
    );
  if (pluginFile.test(path)) return openInstall(store, path);
  try {
    await addProject(store, backend, path);
    openDialog(store, "new-session");
  } catch (error) {
    report(store, sentence(error));
  }
}

/** Says in a notice of the window's own that something did not work, until it is closed. */
export function report(store: Store, text: string) {
  const notice = { id: `${reduce.ownNotice}${text}`, kind: "error", text, action: "dismiss" };
  store.setState((state) => ({
    notices: [...state.notices.filter((kept) => kept.id !== notice.id), notice],
  }));
}

/** Closes a notice, one of the app's there as well. */
export function dismiss(store: Store, backend: Backend, id: string) {
  store.setState((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) }));
  if (id.startsWith(reduce.ownNotice)) return;
  backend.dismissNotice(id).catch((error) => report(store, sentence(error)));
}
