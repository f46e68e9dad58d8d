// Who runs below a process, read from /proc.
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.mjs";

/** pid → [parent, state] of every process now. */
function table() {
  const all = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      all.set(Number(name), { state: rest[0], parent: Number(rest[1]) });
    } catch {
      // It ended between the list and the look.
    }
  }
  return all;
}

/** The pids below pid, at any depth. */
export function descendants(pid) {
  const all = table();
  const found = [];
  const below = (parent) => {
    for (const [child, row] of all) {
      if (row.parent !== parent) continue;
      found.push(child);
      below(child);
    }
  };
  below(pid);
  return found;
}

/** Which of these still run; a zombie does not. */
export function alive(pids) {
  const all = table();
  return pids.filter((pid) => all.has(pid) && all.get(pid).state !== "Z");
}

/** Waits until none of these runs; the error names those that do. */
export async function allGone(pids, limit = 10_000) {
  await until("every descendant to end", () => alive(pids).length === 0, limit).catch((error) => {
    throw new Error(`${error.message}: ${alive(pids).map(commandOf).join("; ")}`);
  });
}

/** The command line of a process, for messages; "" when it is gone. */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return "";
  }
}
