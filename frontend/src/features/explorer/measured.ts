import type { SchemaFacts } from "./schema-scan";

/** What was measured of an agent's client beyond what the attachment says of its names. */
export interface Measured {
  /** What it does with a character outside of letters, digits, _ and -. */
  characters: string;
  /** What it does with the description, when that was seen. */
  description?: string;
  /** How it rewrites a schema, and which schemas that touches. */
  rewrites?: { text: string; touches: (facts: SchemaFacts) => boolean };
  /** What it does with a `type` list, when that was seen. */
  typeList?: string;
}

const any =
  (...keys: string[]) =>
  (facts: SchemaFacts) =>
    keys.some((key) => facts.keywords.has(key));

const dropped = `minimum maximum minLength maxLength minItems maxItems pattern format default examples const
  $schema`.split(/\s+/);

// By the agent's id, each on the version that `measured_with` names. What was not seen is not here.
const table: Record<string, Measured> = {
  claude: {
    characters: "Claude Code writes _ in their place.",
    description: "Claude Code passes the description on unchanged.",
  },
  codex: {
    characters: "Codex writes _ in their place.",
    rewrites: {
      text: "Codex leaves out bounds, patterns, formats, defaults and examples; const becomes enum. Kandev still checks every call against the schema shown here.",
      touches: any(...dropped),
    },
  },
  opencode: {
    characters:
      "OpenCode writes _ in their place; of two names that become equal one is lost without a word.",
    description: "OpenCode passes the description on unchanged.",
  },
  gemini: {
    characters: "Gemini CLI keeps the dot and writes _ for the others.",
    description: "Gemini CLI passes the description on unchanged.",
    typeList: "Gemini CLI turns a list of one type and null into that type, nullable.",
  },
  qwen: {
    characters: "Qwen Code replaces them and adds _ and a hash of 7 characters.",
    rewrites: {
      text: "Qwen Code removes additionalProperties: false and $schema.",
      touches: any("additionalProperties", "$schema"),
    },
  },
  auggie: {
    characters: "Auggie writes _ in their place; of two names that become equal only the first works.",
  },
  copilot: {
    characters: "Copilot writes - for a dot, a blank or a slash, and other letters as punycode.",
    rewrites: {
      text: "Copilot moves bounds into the descriptions.",
      touches: any("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"),
    },
  },
};

/** What was measured of an agent; undefined for one that was not. */
export function measured(agent: string): Measured | undefined {
  return table[agent];
}
