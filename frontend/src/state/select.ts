import type { event } from "../backend/types";
import type { State } from "./store";

// Questions that views ask of the state. Those that build a list are for useMemo over its inputs.

// In the order of the rail: what is worked on first, what rests at the end.
export const steps = ["plan", "build", "review", "backlog", "done"] as const;
export type Step = (typeof steps)[number];

/** Steps whose tasks rest: folded at first. */
export function rests(step: string): boolean {
  return step === "backlog" || step === "done";
}

export interface TaskRow {
  task: event.Task;
  sessions: event.Session[];
}

export interface StepGroup {
  step: string;
  rows: TaskRow[];
}

/** The tasks of a project by step, newest first, each with its sessions; archived ones are left out. */
export function rail(
  tasks: Record<string, event.Task>,
  sessions: Record<string, event.Session>,
  project: string,
): StepGroup[] {
  const own = Object.values(sessions).filter((s) => s.project === project && !s.archived);
  const rows = Object.values(tasks)
    .filter((task) => task.project === project && !task.archived)
    .sort((a, b) => b.seq - a.seq)
    .map((task) => ({ task, sessions: own.filter((s) => s.task === task.id).sort((a, b) => a.seq - b.seq) }));
  const known = steps.map((step) => ({
    step: step as string,
    rows: rows.filter((r) => r.task.step === step),
  }));
  const other = rows.filter((row) => !steps.includes(row.task.step as Step));
  if (other.length > 0) known.push({ step: "", rows: other });
  return known.filter((group) => group.rows.length > 0);
}

/** Projects, last used first. */
export function projectList(projects: Record<string, event.Project>): event.Project[] {
  return Object.values(projects).sort((a, b) => b.used_at - a.used_at || a.name.localeCompare(b.name));
}

/** Reports whether sessions or tasks would go with a project. */
export function holdsWork({ sessions, tasks }: State, project: string): boolean {
  return [...Object.values(sessions), ...Object.values(tasks)].some((row) => row.project === project);
}

/** Reports whether a question or a permission of this state still takes an answer. */
export function takesAnswer(state: string | undefined): boolean {
  return state === "open" || state === "detached";
}

/** The title of a session is its task's. */
export function sessionTitle(state: State, id: string): string {
  const session = state.sessions[id];
  return (session && state.tasks[session.task]?.title) || "";
}

/** Servers that were delivered to the agent: neither filtered, unavailable nor still unknown. */
export function deliveredCount(a: event.Attachment | undefined): number {
  const not = ["unknown", "filtered", "unavailable"];
  return a?.servers.filter((server) => !not.includes(server.status) || server.times.delivered).length ?? 0;
}

/** Reports whether one of the servers needs a look: it failed or is disconnected. */
export function needsLook(a: event.Attachment | undefined): boolean {
  return a?.servers.some((server) => server.status === "failed" || server.status === "disconnected") ?? false;
}

/** Sessions, in any project, that wait for the person. */
export function waiting(sessions: Record<string, event.Session>): event.Session[] {
  return Object.values(sessions)
    .filter((session) => session.waiting > 0 && !session.archived)
    .sort((a, b) => a.seq - b.seq);
}
