import type * as t from "../../backend/types";
import { clock, plural, tokens } from "../../lib/format";
import { words } from "./words";

/** What is kept of an earlier attempt: its time, why it ended, counts. No definitions. */
export function attemptLines(attempt: t.Attempt) {
  const own = attempt.servers.find((server) => server.source === "builtin");
  const ended = attempt.end_reason ?? "";
  const figures =
    own?.tool_count === undefined
      ? words.noListShort
      : `${plural(own.tool_count, "tool")}, ${own.tokens_total === undefined ? words.noEstimateShort : tokens(own.tokens_total)}`;
  return {
    span: words.span(clock(attempt.started_at), clock(attempt.ended_at) || words.never),
    reason: words.ended[ended] ?? ended,
    figures,
  };
}
