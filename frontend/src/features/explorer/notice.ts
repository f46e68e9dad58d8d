import type * as t from "../../backend/types";
import { changedHint } from "./names";
import { seconds } from "./status-word";
import type { Model } from "./use-model";
import { words } from "./words";

/** What is to be known of a list beside the list itself. */
export interface Notice {
  kind: "past" | "failed" | "closed" | "stale" | "changed" | "uncounted";
  text: string;
}

/** Why the list of a server is not live, not the newest or without figures: the first that is so. */
export function noticeOf(model: Model, server: t.event.Server): Notice | null {
  const { notice } = words;
  const agent = model.agent.name;
  const listed = server.tool_count !== undefined;
  if (!model.summary?.live) return { kind: "past", text: notice.past(agent) };
  if (server.status === "failed" && listed)
    return {
      kind: "failed",
      text: [server.summary ?? failedTitle(server), words.state.failedList].join(" "),
    };
  if (server.status === "disconnected" && listed) return { kind: "closed", text: notice.closed(agent) };
  if (model.error && listed) return { kind: "stale", text: `${words.loadAgainFailed} ${model.error}` };
  const uncounted = (server.tool_count ?? 0) > 0 && server.tokens_total === undefined && !server.counting;
  const changed = server.tools_changed ? `${notice.changed} ${changedHint(model.agent)}` : "";
  const text = [changed, uncounted ? notice.noEstimate : ""].filter(Boolean).join(" ");
  return text === "" ? null : { kind: changed ? "changed" : "uncounted", text };
}

/** That a server failed, and when. */
export function failedTitle(server: t.event.Server): string {
  return words.state.failed(server.times.failed ? seconds(server.times.failed) : words.never);
}
