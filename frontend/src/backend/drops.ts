/** The part of Wails' runtime that tells of files and folders dropped on the window. */
export interface DropRuntime {
  OnFileDrop(listener: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
}

/** Tells of what the person drops anywhere on the window, as absolute paths, while the page lives. */
export function wailsDrops(runtime: DropRuntime | undefined, listener: (paths: string[]) => void) {
  runtime?.OnFileDrop((_x, _y, paths) => listener(paths ?? []), false);
}
