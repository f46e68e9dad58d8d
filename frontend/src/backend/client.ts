import { words } from "../words";
import type { Backend } from "./backend";
import { toBackendError } from "./error";
import * as normal from "./normal";

type Methods = typeof import("../../wailsjs/go/app/API");

/** The bound methods as Wails puts them into the page; every one takes the session token first. */
export type Bound = Partial<Methods>;

type Result<M extends keyof Methods> = Awaited<ReturnType<Methods[M]>>;

type WithoutToken<M extends keyof Methods> =
  Parameters<Methods[M]> extends [string, ...infer Rest] ? Rest : never;

/** Asks our own origin for the session token. The header is what a foreign page cannot send. */
export async function fetchToken(): Promise<string> {
  const answer = await fetch("/kandev/token", { cache: "no-store", headers: { "X-Kandev-Page": "1" } });
  if (!answer.ok) throw new Error(words.link.refused(String(answer.status)));
  const given: { token?: unknown } | null = await answer.json().catch(() => null);
  if (typeof given?.token !== "string") throw new Error(words.link.refused("no token"));
  return given.token;
}

/** Makes the backend over bound methods. The token is fetched once, again after a failure. */
export function createClient(bound: () => Bound, token: () => Promise<string>): Backend {
  let secret: Promise<string> | undefined;
  const call = async <M extends keyof Methods>(method: M, ...args: WithoutToken<M>): Promise<Result<M>> => {
    try {
      secret ??= token();
      const given = await secret.catch((error) => {
        secret = undefined;
        throw error;
      });
      const found = bound()[method];
      // Wails never settles the promise of a method that it does not know.
      if (!found) throw new Error(words.link.noMethod(method));
      const bare = found as (token: string, ...args: unknown[]) => Promise<Result<M>>;
      return await bare(given, ...args);
    } catch (thrown) {
      const error = toBackendError(thrown);
      if (error.code === "token") secret = undefined;
      throw error;
    }
  };
  return {
    snapshot: async () => normal.snapshot(await call("Snapshot")),
    transcript: async (session, after) => normal.transcript(await call("Transcript", session, after)),
    attachment: async (session) => normal.attachment(await call("Attachment", session)),
    question: async (id) => normal.question(await call("Question", id)),
    permission: async (id) => normal.permission(await call("Permission", id)),
    agents: async () => normal.agents(await call("Agents")),
    chooseFolder: () => call("ChooseFolder"),
    addProject: (path) => call("AddProject", path),
    moveProject: (id, path) => call("MoveProject", id, path),
    removeProject: (id) => call("RemoveProject", id),
    checkProjects: () => call("CheckProjects"),
    newSession: (request) => call("NewSession", request),
    prompt: (session, text) => call("Prompt", session, text),
    cancelTurn: (session) => call("CancelTurn", session),
    stopSession: (session) => call("StopSession", session),
    startSession: (session) => call("StartSession", session),
    resetSession: (session) => call("ResetSession", session),
    loginMethods: async (session) => normal.loginOffer(await call("LoginMethods", session)),
    authenticate: (session, method) => call("Authenticate", session, method),
    startAgentLogin: (agent) => call("StartAgentLogin", agent),
    agentLogin: async (agent) => normal.agentLogin(await call("AgentLogin", agent)),
    chooseAgentLogin: (agent, method) => call("ChooseAgentLogin", agent, method),
    cancelAgentLogin: (agent) => call("CancelAgentLogin", agent),
    place: (session) => call("Place", session),
    openPlace: (session) => call("OpenPlace", session),
    removePlace: (session) => call("RemovePlace", session),
    renameSession: (session, title) => call("RenameSession", session, title),
    archiveSession: (session, archived) => call("ArchiveSession", session, archived),
    deleteSession: (session) => call("DeleteSession", session),
    answer: (id, answers) => call("Answer", id, answers),
    rejectQuestion: (id, reason) => call("RejectQuestion", id, reason),
    permit: (id, option) => call("Permit", id, option),
    diagnostics: (session) => call("Diagnostics", session),
    saveFile: (name, content) => call("SaveFile", name, content),
    openURL: (url) => call("OpenURL", url),
    openFolder: (which) => call("OpenFolder", which),
    storage: async () => normal.storage(await call("Storage")),
    deleteBroken: () => call("DeleteBroken"),
    dismissNotice: (id) => call("DismissNotice", id),
    uncleanReport: () => call("UncleanReport"),
    dismissUnclean: () => call("DismissUnclean"),
    ownServers: async (agent) => normal.ownServers(await call("OwnServers", agent)),
    saveOwnServer: (change) => call("SaveOwnServer", change),
    deleteOwnServer: (id) => call("DeleteOwnServer", id),
    importServers: async (agent, text) => normal.serverImport(await call("ImportServers", agent, text)),
    checkCommand: async (line) => normal.commandCheck(await call("CheckCommand", line)),
    saveCustomAgent: (change) => call("SaveCustomAgent", change),
    deleteCustomAgent: (id) => call("DeleteCustomAgent", id),
    valuesPlace: () => call("ValuesPlace"),
    plugins: async () => normal.plugins(await call("Plugins")),
    choosePlugin: () => call("ChoosePlugin"),
    inspectPlugin: async (path) => normal.inspection(await call("InspectPlugin", path)),
    installPlugin: (path, digest) => call("InstallPlugin", path, digest),
    enablePlugin: (id, grant) => call("EnablePlugin", id, grant),
    disablePlugin: (id) => call("DisablePlugin", id),
    removePlugin: (id) => call("RemovePlugin", id),
    configurePlugin: (id, values) => call("ConfigurePlugin", id, values),
    askValues: (on) => call("AskValues", on),
    valuesAsked: async (session) => normal.list(await call("ValuesAsked", session)).map(normal.askedServer),
    giveValues: (session, typed) => call("GiveValues", session, typed),
    saveSettings: (settings) => call("SaveSettings", settings),
    quit: () => call("Quit"),
    keepRunning: () => call("KeepRunning"),
  };
}
