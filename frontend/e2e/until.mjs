import { setTimeout as wait } from "node:timers/promises";

/** Asks again until something true is answered; the reason says what was waited for. */
export async function until(reason, ask, limit = 8000) {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${limit} ms for ${reason}`);
    await wait(40);
  }
}
