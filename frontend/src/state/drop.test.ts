import { describe, expect, it, vi } from "vitest";
import type { Backend } from "../backend/backend";
import { type DropRuntime, wailsDrops } from "../backend/drops";
import { words } from "../words";
import { dropped } from "./actions";
import { project } from "./sample";
import { emptyState, newStore, type State } from "./store";

const folder = "/tmp/Käse und 100%";

async function drop(paths: string[], change: Partial<State> = {}, add = async () => project("p_9")) {
  const store = newStore();
  store.setState({ ...emptyState, epoch: "e1", ...change });
  const addProject = vi.fn(add);
  await dropped(store, { addProject } as unknown as Backend, paths);
  return { state: store.getState(), addProject };
}

describe("a drop on the window", () => {
  it("makes a project of a folder and asks for its first session", async () => {
    const { state, addProject } = await drop([folder], { dialog: "add-project" });
    expect(addProject).toHaveBeenCalledExactlyOnceWith(folder);
    expect(state.project).toBe("p_9");
    expect(state.dialog).toBe("new-session");
    expect(state.notices).toEqual([]);
  });

  it("says why it is not taken", async () => {
    const why = "Not a folder that can be opened: /tmp/a.txt.";
    const { state } = await drop(["/tmp/a.txt"], {}, () => Promise.reject(new Error(why)));
    expect(state.notices.map((notice) => notice.text)).toEqual([why]);
    expect(state.dialog).toBe("");
  });

  it.each(["/tmp/my plugin.ZIP", "/tmp/a.wasm"])("looks at the plugin %s", async (file) => {
    const { state, addProject } = await drop([file], { dialog: "settings", explorer: true });
    expect(addProject).not.toHaveBeenCalled();
    expect(state).toMatchObject({
      page: "plugins",
      dialog: "install-plugin",
      subject: file,
      explorer: false,
    });
    expect(state.notices).toEqual([]);
  });

  it("takes one plugin at a time, and says so", async () => {
    const { state } = await drop(["/tmp/a.zip", "/tmp/b.wasm"]);
    expect(state.dialog).toBe("");
    expect(state.notices.map((notice) => notice.text)).toEqual([words.dropOnePlugin]);
  });

  it("takes one folder at a time, and says so", async () => {
    const { state, addProject } = await drop([folder, "/tmp/b"]);
    expect(addProject).not.toHaveBeenCalled();
    expect(state.notices.map((notice) => notice.text)).toEqual([words.project.dropOne]);
  });

  it.each<[string, string[], Partial<State>]>([
    ["of nothing", [], {}],
    ["before the window is there", [folder], { epoch: "" }],
    ["while it asks whether to quit", [folder], { quit: { agents: ["Codex"] } }],
  ])("means nothing %s", async (_, paths, change) => {
    const { state, addProject } = await drop(paths, change);
    expect(addProject).not.toHaveBeenCalled();
    expect(state.notices).toEqual([]);
  });
});

it("hears of drops everywhere in the window", () => {
  const heard: string[][] = [];
  let tell: ((x: number, y: number, paths: string[]) => void) | undefined;
  const runtime: DropRuntime = {
    OnFileDrop(listener, useDropTarget) {
      expect(useDropTarget).toBe(false);
      tell = listener;
    },
  };
  wailsDrops(runtime, (paths) => heard.push(paths));
  tell?.(1, 2, [folder]);
  tell?.(1, 2, null as unknown as string[]);
  expect(heard).toEqual([[folder], []]);
  wailsDrops(undefined, () => {});
});
