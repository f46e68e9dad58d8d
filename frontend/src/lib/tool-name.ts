export interface ToolName {
  before: string;
  /** What sets the tool apart. */
  own: string;
  after: string;
}

/**
 * Splits a tool's name into its own part and the affixes that all tools of the server share:
 * `kandev_argocd_` before a plugin's, `_kandev` after a built-in one's, `mcp__kandev__` of a client.
 */
export function toolName(name: string): ToolName {
  const client = /^mcp__[^_]+(?:_[^_]+)*__/.exec(name)?.[0] ?? "";
  const rest = name.slice(client.length);
  const plugin = /^kandev_[^_]+_(?=.)/.exec(rest)?.[0] ?? "";
  const after = !plugin && /._kandev$/.test(rest) ? "_kandev" : "";
  const own = rest.slice(plugin.length, rest.length - after.length);
  return { before: client + plugin, own, after };
}

/** Reports whether an agent's tool call is one of ours, by the name that it shows. */
export function isOurs(name: string): boolean {
  return /(^mcp__kandev__|^kandev[_./]|_kandev$)/.test(name);
}
