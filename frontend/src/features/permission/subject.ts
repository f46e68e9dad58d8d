import type { Permission } from "../../backend/types";

/**
 * What is asked for, in full: the command of a command, else title and input. An agent's title may
 * be shortened or say less than the input, so the input is never left out when it says more.
 */
export function subject(permission: Permission): string {
  const { title, input } = permission;
  if (!input) return title;
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null) {
      const keys = Object.keys(value);
      const command = (value as { command?: unknown }).command;
      const text = Array.isArray(command) ? command.join(" ") : command;
      if (typeof text === "string" && keys.length === 1)
        return text === title ? `$ ${text}` : `${title}\n$ ${text}`;
      if (keys.length === 0) return title;
    }
    return `${title}\n${JSON.stringify(value, null, 2)}`;
  } catch {
    return `${title}\n${input}`;
  }
}
