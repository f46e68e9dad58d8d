// Marks on the browser's own time line, for the figures of opening and of a served list that
// reaches the screen. `e2e/explorer-open.mjs` reads them; they cost nothing else.

/** The explorer was told to open. */
export function markOpening() {
  performance.mark("explorer/opening");
}

/** Rows of a catalog are on the screen: called after a commit, it marks the paint that follows. */
export function markListPainted(revision: number, tools: number) {
  const committed = performance.now();
  requestAnimationFrame(() => {
    setTimeout(() => {
      performance.clearMarks("explorer/list-painted");
      performance.mark("explorer/list-painted", { detail: { revision, tools, committed } });
    }, 0);
  });
}
