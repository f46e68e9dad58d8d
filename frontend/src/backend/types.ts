import type { app, event as noun } from "../../wailsjs/go/models";

// The wire: Wails generates these from app/views.go, app/views_attachment.go and backend/event. Times
// are Unix milliseconds. Lists are never null here: client.ts and events.ts see to that.

export type Agent = app.Agent;
export type AgentFacts = app.AgentFacts;
export type AgentLogin = app.AgentLogin;
export type AskedServer = app.AskedServer;
export type AgentNames = app.AgentNames;
export type Answer = app.Answer;
export type Use = app.Use;
export type Entry = app.Entry;
export type Catalog = app.Catalog;
export type Attempt = app.Attempt;
export type Attachment = app.Attachment;
export type CommandCheck = app.CommandCheck;
export type CustomAgent = app.CustomAgent;
export type CustomChange = app.CustomChange;
export type Diff = app.Diff;
export type PlanEntry = app.PlanEntry;
export type ToolCall = app.ToolCall;
export type Item = app.Item;
export type LoginMethod = app.LoginMethod;
export type LoginOffer = app.LoginOffer;
export type NewSession = app.NewSession;
export type Place = app.Place;
export type OwnServer = app.OwnServer;
export type OwnServers = app.OwnServers;
export type Plugin = app.Plugin;
export type PluginAsks = app.PluginAsks;
export type PluginField = app.PluginField;
export type PluginInspection = app.PluginInspection;
export type PluginPermissions = app.PluginPermissions;
export type Plugins = app.Plugins;
export type PluginTool = app.PluginTool;
export type PluginUpdate = app.PluginUpdate;
export type PluginValue = app.PluginValue;
export type Permission = app.Permission;
export type QuestionPart = app.QuestionPart;
export type Question = app.Question;
export type ServerChange = app.ServerChange;
export type ServerImport = app.ServerImport;
export type ServerValue = app.ServerValue;
export type Settings = app.Settings;
export type Snapshot = app.Snapshot;
export type ProjectSize = app.ProjectSize;
export type Storage = app.Storage;
export type Terminal = app.Terminal;
export type Transcript = app.Transcript;
export type TypedValue = app.TypedValue;
export type ValuesPlace = app.ValuesPlace;

/**
 * What `event` holds on the Go side: small whole views that travel in the stream. The ones that only
 * travel in events are not reached by Wails' generator and are kept here by hand, from event/view.go.
 */
export namespace event {
  export type Server = noun.Server;
  export type Attachment = noun.Attachment;
  export type Notice = noun.Notice;
  export type Permission = noun.Permission;
  export type Project = noun.Project;
  export type Question = noun.Question;
  export type Session = noun.Session;
  export type Task = noun.Task;

  export interface Transcript {
    session: string;
    revision: number;
  }

  export interface QuitRequest {
    agents: string[];
  }

  /** The installed plugins, their states or their last runs changed: pull them when they are shown. */
  export interface Plugins {
    revision: number;
  }

  /** Exactly one field is set. */
  export interface View {
    project?: Project;
    project_gone?: string;
    task?: Task;
    session?: Session;
    session_gone?: string;
    task_gone?: string;
    attachment?: Attachment;
    transcript?: Transcript;
    question?: Question;
    permission?: Permission;
    notice?: Notice;
    notice_gone?: string;
    quit?: QuitRequest;
    plugins?: Plugins;
  }

  export interface Event {
    epoch: string;
    prev: number;
    seq: number;
    view: View;
  }
}
