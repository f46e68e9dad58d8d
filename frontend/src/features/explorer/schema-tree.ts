import { type Json, rawText } from "../../lib/json";
import { childSpecs, type Label, type Spec } from "./schema-children";
import { type Fact, factsOf } from "./schema-facts";
import { layersOf } from "./schema-refs";
import { items, keyword, typeText } from "./schema-type";

/** One row of the argument tree. */
export interface Arg {
  /** Its place, unique in the tree: "/0/3". */
  path: string;
  depth: number;
  label: Label;
  type: string;
  required: boolean;
  facts: Fact[];
  /** The first values of an enum are drawn; all are here, as served. */
  values: string[];
  description: string;
  /** The name of the definition that it refers to. */
  ref: string;
  /** It refers to one of the rows around it, which is where the way goes on. */
  back?: { name: string; path: string };
  /** A reference that leads out of the document or nowhere. */
  open?: string;
  /** What the tree does not draw, as JSON. */
  raw?: string;
  /** No key but the named ones is taken. */
  closed: boolean;
  /** What is under it; made when it is asked for. */
  specs: Spec[];
}

interface Way {
  layers: Json[];
  name: string;
  path: string;
  up?: Way;
}

/** A schema as a tree that is made as far as it is looked at. */
export class SchemaTree {
  private ways = new Map<string, Way>();
  private made = new Map<string, Arg[]>();
  /** The row of the schema itself; its children are the arguments. */
  readonly root: Arg;

  constructor(
    readonly text: string,
    readonly schema: Json,
  ) {
    this.root = this.arg({ label: { kind: "root", text: "" }, schema, required: false }, "", -1);
  }

  /** The rows directly under one. */
  children(of: Arg): Arg[] {
    let made = this.made.get(of.path);
    if (!made) {
      made = of.specs.map((spec, n) =>
        this.arg(spec, `${of.path}/${n}`, of.depth + 1, this.ways.get(of.path)),
      );
      this.made.set(of.path, made);
    }
    return made;
  }

  private arg(spec: Spec, path: string, depth: number, up?: Way): Arg {
    const base = { path, depth, label: spec.label, required: spec.required };
    if (!spec.schema)
      return { ...base, ...blank, type: spec.type ?? "any", facts: spec.facts ?? [], raw: spec.raw };
    if (spec.group) {
      if (up) this.ways.set(path, up);
      return { ...base, ...blank, type: spec.type ?? "", specs: spec.group };
    }
    const { layers, name, open } = layersOf(this.schema, spec.schema);
    const back = this.back(layers, up);
    const way: Way = { layers, name: name || spec.label.text, path, up };
    this.ways.set(path, way);
    const stop = (schema: Json) => this.back(layersOf(this.schema, schema).layers, way)?.name ?? "";
    const item = keyword(layers, "items");
    const itemBack =
      item && item.kind !== "array" ? this.back(layersOf(this.schema, item).layers, way) : undefined;
    const children = back ? [] : childSpecs(this.text, this.schema, layers, spec, itemBack !== undefined);
    const description = keyword(layers, "description");
    return {
      ...base,
      type: typeText(this.text, this.schema, layers, stop),
      facts: [...(spec.facts ?? []), ...factsOf(this.text, layers, description === undefined)],
      values: this.values(layers),
      description: description?.kind === "string" ? description.value : "",
      ref: name,
      back: back ?? itemBack,
      open,
      closed: this.isClosed(layers),
      specs: children,
    };
  }

  // The nearest row around this one that already shows one of these schemas.
  private back(layers: Json[], up: Way | undefined): { name: string; path: string } | undefined {
    for (let way = up; way; way = way.up)
      if (way.layers.some((layer) => layers.includes(layer) && layer.kind === "object"))
        return { name: way.name, path: way.path };
    return undefined;
  }

  private values(layers: Json[]): string[] {
    let list = items(keyword(layers, "enum"));
    const item = keyword(layers, "items");
    if (list.length === 0 && item && item.kind !== "array")
      list = items(keyword(layersOf(this.schema, item).layers, "enum"));
    const strings = list.every((value) => value.kind === "string");
    return list.map((value) =>
      strings && value.kind === "string" ? value.value : rawText(this.text, value, 160),
    );
  }

  // Of an array: whether its items are closed, because their arguments stand under its own row.
  private isClosed(layers: Json[]): boolean {
    const item = keyword(layers, "items");
    const from = item && item.kind !== "array" ? [...layers, ...layersOf(this.schema, item).layers] : layers;
    const more = keyword(from, "additionalProperties") ?? keyword(from, "unevaluatedProperties");
    return more?.kind === "word" && rawText(this.text, more) === "false";
  }
}

const blank = { facts: [], values: [], description: "", ref: "", closed: false, specs: [] };
