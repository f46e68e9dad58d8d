import type { event } from "../../backend/types";

export type StepName = "configured" | "delivered" | "accepted" | "connected" | "listed" | "used";

export interface Step {
  name: StepName;
  /** When it was seen; undefined while it was not. */
  at?: number;
  /** Why it will not come: the server was cut off here. */
  cut?: boolean;
  /** Why there is no time: not seen yet, not visible from here, or it never comes. */
  missing?: "seen" | "visible" | "never";
}

const order: StepName[] = ["configured", "delivered", "accepted", "connected", "listed", "used"];

/** The six steps of evidence in their order. What happens on the agent's own connections is not visible. */
export function stepsOf(server: event.Server): Step[] {
  const ended = ["filtered", "unavailable"].includes(server.status);
  const own = server.source === "builtin";
  let cut = false;
  return order.map((name, n): Step => {
    const at = server.times[name];
    if (at) return { name, at };
    if (ended || server.status === "failed") {
      const first = !cut;
      cut = true;
      return { name, cut: first, missing: "never" };
    }
    return { name, missing: own || n < 3 ? "seen" : "visible" };
  });
}

/** The last step that was seen, and how many were. */
export function lastStep(steps: readonly Step[]): { step?: Step; seen: number } {
  const seen = steps.filter((step) => step.at !== undefined);
  return { step: seen.at(-1), seen: seen.length };
}

/** When anything of a server was last seen. */
export function lastSeen(server: event.Server): number {
  return Math.max(0, ...Object.values(server.times).map((at) => at ?? 0));
}
