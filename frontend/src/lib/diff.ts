export interface DiffRow {
  kind: "same" | "add" | "del" | "gap";
  /** Line numbers from 1; absent on the side that lacks the line. */
  old?: number;
  new?: number;
  text: string;
}

export interface DiffResult {
  rows: DiffRow[];
  added: number;
  removed: number;
}

/** Above this product of lines the middle is shown as removed and added whole: no long computation. */
const maxCells = 400_000;

/** Unchanged lines that stay around a change. */
const context = 3;

function lines(text: string): string[] {
  const split = text.split("\n");
  if (split.at(-1) === "") split.pop();
  return split;
}

// Marks which lines of a and b belong to a longest common subsequence.
function common(a: string[], b: string[]): [boolean[], boolean[]] {
  const inA = new Array<boolean>(a.length).fill(false);
  const inB = new Array<boolean>(b.length).fill(false);
  if (a.length * b.length > maxCells) return [inA, inB];
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA[i++] = true;
      inB[j++] = true;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return [inA, inB];
}

/** The difference of two texts by lines. An absent old text is a new file. */
export function diff(before: string | undefined, after: string): DiffResult {
  const a = before === undefined ? [] : lines(before);
  const b = lines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [inA, inB] = common(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const rows: DiffRow[] = [];
  let i = 0;
  let j = 0;
  const same = () => rows.push({ kind: "same", old: i + 1, new: j + 1, text: a[i++] ?? "" }) && j++;
  while (i < head) same();
  while (i < a.length - tail || j < b.length - tail) {
    if (i < a.length - tail && !inA[i - head]) rows.push({ kind: "del", old: i + 1, text: a[i++] ?? "" });
    else if (j < b.length - tail && !inB[j - head])
      rows.push({ kind: "add", new: j + 1, text: b[j++] ?? "" });
    else same();
  }
  while (i < a.length) same();
  const added = rows.filter((row) => row.kind === "add").length;
  const removed = rows.filter((row) => row.kind === "del").length;
  return { rows: shorten(rows), added, removed };
}

// Leaves out unchanged lines far from a change; a gap stands for each run of them.
function shorten(rows: DiffRow[]): DiffRow[] {
  const near = new Array<boolean>(rows.length).fill(false);
  rows.forEach((row, n) => {
    if (row.kind === "same") return;
    for (let k = Math.max(0, n - context); k <= Math.min(rows.length - 1, n + context); k++) near[k] = true;
  });
  const kept: DiffRow[] = [];
  rows.forEach((row, n) => {
    if (near[n]) kept.push(row);
    else if (n > 0 && near[n - 1] && near.indexOf(true, n) > 0) kept.push({ kind: "gap", text: "⋯" });
  });
  return kept;
}
