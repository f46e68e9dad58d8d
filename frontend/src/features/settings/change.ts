import type { OwnServer, ServerChange, ServerValue } from "../../backend/types";

/** A value in the form: one that is kept is shown by its name alone. */
export interface EditedValue extends ServerValue {
  key: number;
  /** It is kept and its value is not stored: asked for at each start. */
  asked?: boolean;
}

/** A server as it is, as a change: every stored value stays. */
export function changeOf(server: OwnServer): ServerChange {
  const kept = (names: string[]) => names.map((name) => ({ name, value: "", keep: true }));
  // Wails generates a class; on the wire it is this object.
  return { ...server, env: kept(server.env), headers: kept(server.headers) } as unknown as ServerChange;
}

/** What a new server begins with. */
export function blank(agent: string): OwnServer {
  return {
    id: "",
    agent,
    name: "",
    transport: "http",
    url: "",
    command: "",
    args: [],
    env: [],
    headers: [],
    unstored: [],
    off: false,
  };
}

/** The lines of a field; blank ones are no arguments. */
export function lines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** What goes out: rows that are wholly empty are none. */
export function values(edited: EditedValue[]): ServerValue[] {
  return edited
    .filter(({ name, value, keep }) => keep || name.trim() !== "" || value !== "")
    .map(({ name, value, keep }) => ({ name: name.trim(), value, keep }));
}
