import { type Json, member } from "../../lib/json";

/** A schema with what it refers to: the first layer is the schema itself, later ones its targets. */
export interface Layers {
  layers: Json[];
  /** The last part of the reference, as a name: `filter` of `#/$defs/filter`. "" without one. */
  name: string;
  /** A reference that leaves the document or points at nothing. */
  open?: string;
}

/** More references in a row than this are an endless chain or a joke. */
const mostHops = 32;

/**
 * Follows `$ref` inside the document, and an `allOf` of one, as far as they go. A reference that
 * comes back to one of its own layers ends there.
 */
export function layersOf(root: Json, schema: Json): Layers {
  const found: Layers = { layers: [schema], name: "" };
  for (let hop = 0; hop < mostHops; hop++) {
    const last = found.layers.at(-1) as Json;
    const ref = refOf(last);
    let next: Json | undefined;
    if (ref !== undefined) {
      next = resolve(root, ref);
      if (!next) return { ...found, open: ref };
      found.name ||= refName(ref);
    } else {
      const all = member(last, "allOf");
      if (all?.kind === "array" && all.items.length === 1) next = all.items[0];
    }
    if (!next || found.layers.includes(next)) break;
    found.layers.push(next);
  }
  return found;
}

/** What a schema refers to; undefined where it refers to nothing. */
export function refOf(schema: Json): string | undefined {
  const ref = member(schema, "$ref") ?? member(schema, "$dynamicRef");
  return ref?.kind === "string" ? ref.value : undefined;
}

function refName(ref: string): string {
  return unescapePointer(ref.split("/").at(-1) ?? "") || ref;
}

function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A lone % stays what it is.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function resolve(root: Json, ref: string): Json | undefined {
  if (ref === "#") return root;
  if (ref.startsWith("#/")) {
    let at: Json | undefined = root;
    for (const part of ref.slice(2).split("/")) {
      const key = unescapePointer(part);
      at = at?.kind === "array" ? at.items[Number(key)] : member(at, key);
    }
    return at;
  }
  if (ref.startsWith("#")) return anchored(root, ref.slice(1));
  return undefined;
}

function anchored(root: Json, name: string): Json | undefined {
  const waiting: Json[] = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.kind === "array") waiting.push(...at.items);
    if (at.kind !== "object") continue;
    for (const { key, value } of at.members) {
      if ((key === "$anchor" || key === "$dynamicAnchor") && value.kind === "string" && value.value === name)
        return at;
      waiting.push(value);
    }
  }
  return undefined;
}
