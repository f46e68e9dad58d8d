import type { event } from "../../backend/types";
import { plainMarked } from "../../lib/hidden";
import { words } from "../../words";

/** Why nothing can be sent now; "" when it can. A start that takes long says so itself. */
export function hindrance({ state, waiting, reason }: event.Session): string {
  if (waiting > 0 && state === "working") return words.composer.waiting;
  if (state === "working" || state === "cancelling") return words.composer.working;
  if (state === "starting") return plainMarked(reason ?? "") || words.composer.starting;
  return "";
}
