export interface ToolName {
  before: string;
  /** What sets the tool apart. */
  own: string;
  after: string;
}

/** How many characters of a plugin's own name stay before its hash, where it is too long to be served whole. */
const localCut = 15;
const localMost = 24;

/**
 * Splits a tool's name into its own part and the affixes that all tools of the server share:
 * `kandev_argocd_` before a plugin's, `_kandev` after a built-in one's, `mcp__kandev__` of a client. A plugin's id may
 * hold underscores: `original`, its own name for the tool, says where its part begins.
 */
export function toolName(name: string, original = ""): ToolName {
  const client = /^mcp__[^_]+(?:_[^_]+)*__/.exec(name)?.[0] ?? "";
  const rest = name.slice(client.length);
  const plugin = ofPlugin(rest, original) || (/^kandev_[^_]+_(?=.)/.exec(rest)?.[0] ?? "");
  const after = !plugin && /._kandev$/.test(rest) ? "_kandev" : "";
  const own = rest.slice(plugin.length, rest.length - after.length);
  return { before: client + plugin, own, after };
}

// `kandev_<slug>_` where the rest is how the original is served; "" where it is not.
function ofPlugin(name: string, original: string): string {
  const mapped = original.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
  if (mapped === "" || !name.startsWith("kandev_")) return "";
  const own = mapped.length > localMost ? `_${mapped.slice(0, localCut)}_` : `_${mapped}`;
  const at = name.lastIndexOf(own);
  const whole = mapped.length > localMost || at + own.length === name.length;
  return at >= "kandev_".length && whole ? name.slice(0, at + 1) : "";
}

/** Reports whether an agent's tool call is one of ours, by the name that it shows. */
export function isOurs(name: string): boolean {
  return /(^mcp__kandev__|^kandev[_./]|_kandev$)/.test(name);
}
