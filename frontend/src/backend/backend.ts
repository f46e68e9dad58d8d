import type * as t from "./types";

/** What the window may ask of the app. Every method rejects with a BackendError. */
export interface Backend {
  snapshot(): Promise<t.Snapshot>;
  /** Items newer than a revision; ask again with the answer's while it says more. */
  transcript(session: string, after: number): Promise<t.Transcript>;
  /** The last observed attachment with its definitions; the only way they reach the window. */
  attachment(session: string): Promise<t.Attachment>;
  question(id: string): Promise<t.Question>;
  permission(id: string): Promise<t.Permission>;
  agents(): Promise<t.Agent[]>;
  /** A native dialog; "" when it was cancelled. */
  chooseFolder(): Promise<string>;
  addProject(path: string): Promise<t.event.Project>;
  /** Gives a project another folder, with all its sessions. */
  moveProject(id: string, path: string): Promise<t.event.Project>;
  removeProject(id: string): Promise<void>;
  /** Looks again which folders are there; what changed comes as events. */
  checkProjects(): Promise<void>;
  /** Answers the id of the new session. */
  newSession(request: t.NewSession): Promise<string>;
  prompt(session: string, text: string): Promise<void>;
  cancelTurn(session: string): Promise<void>;
  stopSession(session: string): Promise<void>;
  /** Starts the agent again: a new attempt. */
  startSession(session: string): Promise<void>;
  /** The agent forgets what was said: a new attempt, of a session whose agent works on nothing. */
  resetSession(session: string): Promise<void>;
  /** What a person can do to log in to a session's agent, as it offered when it was started last. */
  loginMethods(session: string): Promise<t.LoginOffer>;
  /** Starts a session's agent and logs in by one of its methods first. */
  authenticate(session: string, method: string): Promise<void>;
  /** Starts an agent for nothing but its login; agentLogin says how it goes on. */
  startAgentLogin(agent: string): Promise<void>;
  agentLogin(agent: string): Promise<t.AgentLogin>;
  chooseAgentLogin(agent: string, method: string): Promise<void>;
  cancelAgentLogin(agent: string): Promise<void>;
  /** Where a session works, and what is there that no commit holds. */
  place(session: string): Promise<t.Place>;
  /** Shows the folder in which a session works in the file manager. */
  openPlace(session: string): Promise<void>;
  /** Removes a session's own folder when it is clean; else an error, and nothing is touched. */
  removePlace(session: string): Promise<void>;
  renameSession(session: string, title: string): Promise<void>;
  archiveSession(session: string, archived: boolean): Promise<void>;
  deleteSession(session: string): Promise<void>;
  answer(id: string, answers: t.Answer[]): Promise<void>;
  rejectQuestion(id: string, reason: string): Promise<void>;
  permit(id: string, option: string): Promise<void>;
  /** Status, evidence and counts as text: no secrets, nothing the agent wrote. */
  diagnostics(session: string): Promise<string>;
  /** A native save dialog; the path, "" when it was cancelled. */
  saveFile(name: string, content: string): Promise<string>;
  openURL(url: string): Promise<void>;
  openFolder(which: "data" | "logs"): Promise<void>;
  storage(): Promise<t.Storage>;
  deleteBroken(): Promise<void>;
  /** Closes a notice that only told what was kept. */
  dismissNotice(id: string): Promise<void>;
  /** A redacted text about a last run that did not end in order; "" when it did. */
  uncleanReport(): Promise<string>;
  dismissUnclean(): Promise<void>;
  /** The person's own MCP servers for one agent; their values never come to the window. */
  ownServers(agent: string): Promise<t.OwnServers>;
  /** Answers its id; the next start of the agent gives it. */
  saveOwnServer(change: t.ServerChange): Promise<string>;
  deleteOwnServer(id: string): Promise<void>;
  /** Takes servers over from a configuration as other products write it. */
  importServers(agent: string, text: string): Promise<t.ServerImport>;
  /** Takes a command line apart and looks for its program; runs nothing. */
  checkCommand(line: string): Promise<t.CommandCheck>;
  /** Keeps an agent of the person's own and answers its id; its values never come to the window. */
  saveCustomAgent(change: t.CustomChange): Promise<string>;
  deleteCustomAgent(id: string): Promise<void>;
  /** Where values of headers and environment are kept. */
  valuesPlace(): Promise<t.ValuesPlace>;
  plugins(): Promise<t.Plugins>;
  /** A native dialog; "" when it was cancelled. */
  choosePlugin(): Promise<string>;
  /** Looks at a file and installs nothing. A module without a manifest describes its tools once, in the sandbox. */
  inspectPlugin(path: string): Promise<t.PluginInspection>;
  /** Installs or updates what was inspected, off unless it was on and asks for no more. Answers its id. */
  installPlugin(path: string, digest: string): Promise<string>;
  /** Offers its tools to every session, with what the person grants: at least what it asks for. */
  enablePlugin(id: string, grant: t.PluginPermissions): Promise<void>;
  disablePlugin(id: string): Promise<void>;
  removePlugin(id: string): Promise<void>;
  /** Keeps values; those not named stay, "" forgets one. */
  configurePlugin(id: string, values: t.PluginValue[]): Promise<void>;
  /** Whether values of the person's servers are asked for at each start; on forgets the stored ones. */
  askValues(on: boolean): Promise<void>;
  /** What a session's start waits for. */
  valuesAsked(session: string): Promise<t.AskedServer[]>;
  /** Lets the start go on; a server that lacks a value is withheld. */
  giveValues(session: string, typed: t.TypedValue[]): Promise<void>;
  saveSettings(settings: t.Settings): Promise<void>;
  /** After the quit question. */
  quit(): Promise<void>;
  /** The person cancelled the quit question. */
  keepRunning(): Promise<void>;
}

/** The stream. `subscribe` answers what ends it. */
export interface EventSource {
  subscribe(listener: (event: t.event.Event) => void): () => void;
}
