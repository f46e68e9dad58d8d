import type * as t from "../../backend/types";
import { parseJson } from "../../lib/json";
import type { ToolIndex } from "./list";
import type { Gone } from "./plugin-state";
import { type SchemaFacts, scanSchema } from "./schema-scan";
import { marksRow, ofPlugin, type Warning, warningsOf } from "./warnings";

/** A schema is read in pieces of this length while nothing else happens. */
const sliceMs = 6;

/**
 * What only a parsed schema knows. Opening parses nothing: schemas are read when somebody searches,
 * filters or opens a tool, and otherwise a few at a time. Kept by text, so that a new pull of an
 * unchanged catalog reads nothing again.
 */
export class SchemaIndex {
  private facts = new Map<string, SchemaFacts | null>();

  factsOf(entry: t.Entry): SchemaFacts | null {
    const text = entry.input_schema;
    if (!text) return null;
    let found = this.facts.get(text);
    if (found === undefined) {
      const schema = parseJson(text);
      found = schema ? scanSchema(schema) : null;
      this.facts.set(text, found);
    }
    return found;
  }

  isKnown(entry: t.Entry): boolean {
    return !entry.input_schema || this.facts.has(entry.input_schema);
  }

  /** Reads the rest in small pieces, forgets what is gone, then calls `done`. Answers what stops it. */
  readAll(entries: readonly t.Entry[], done: () => void): () => void {
    const texts = new Set(entries.map((entry) => entry.input_schema));
    for (const text of this.facts.keys()) if (!texts.has(text)) this.facts.delete(text);
    const rest = entries.filter((entry) => !this.isKnown(entry));
    let timer: ReturnType<typeof setTimeout>;
    const step = () => {
      const until = performance.now() + sliceMs;
      for (let next = rest.shift(); next; next = rest.shift()) {
        this.factsOf(next);
        if (performance.now() > until) break;
      }
      if (rest.length > 0) timer = setTimeout(step, 16);
      else done();
    };
    // After the first paint.
    timer = setTimeout(step, 120);
    return () => clearTimeout(timer);
  }
}

/** The index of one catalog for one agent. */
export class CatalogIndex implements ToolIndex {
  private uses: Map<string, t.Use>;
  private warned = new Map<t.Entry, Warning[]>();

  constructor(
    private schemas: SchemaIndex,
    uses: readonly t.Use[],
    private agent: t.AgentNames,
    private server: string,
    private gone: (entry: t.Entry) => Gone = () => "",
  ) {
    this.uses = new Map(uses.map((use) => [use.tool, use]));
  }

  argumentNames(entry: t.Entry): readonly string[] {
    return this.schemas.factsOf(entry)?.names ?? [];
  }

  use(entry: t.Entry): t.Use | undefined {
    return this.uses.get(entry.canonical);
  }

  calls(entry: t.Entry): number {
    return this.use(entry)?.calls ?? 0;
  }

  warnings(entry: t.Entry): Warning[] {
    let found = this.warned.get(entry);
    if (!found) {
      found = [
        ...ofPlugin(entry, this.gone(entry), this.agent),
        ...warningsOf(entry, this.schemas.factsOf(entry), this.agent, this.server),
      ];
      this.warned.set(entry, found);
    }
    return found;
  }

  hasWarnings(entry: t.Entry): boolean {
    return marksRow(this.warnings(entry));
  }

  /** How many warnings mark the row; 0 while its schema was not read yet. */
  markCount(entry: t.Entry): number {
    if (!this.schemas.isKnown(entry)) return 0;
    return this.warnings(entry).filter((one) => one.level === "warn").length;
  }
}
