import type * as t from "../../backend/types";

// Catalogs for tests and pictures: the odd schemas that broke other products, and a full one.

const nested = (levels: number) => {
  let text = '{"type":"string"}';
  for (let n = levels; n > 0; n--) text = `{"type":"object","properties":{"level_${n}":${text}}}`;
  return text;
};

const many = (n: number, make: (n: number) => string) =>
  Array.from({ length: n }, (_, at) => make(at)).join(",");

/** Schemas by the case that they are from. */
export const oddSchemas: Record<string, string> = {
  root_any_of:
    '{"type":"object","required":["p"],"properties":{"p":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}',
  pure_any_of:
    '{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"number"}}}]}',
  if_then:
    '{"type":"object","allOf":[{"if":{"properties":{"mode":{"const":"x"}}},"then":{"required":["y"]},"else":{"required":["z"]}},{"required":["mode"]}]}',
  boolean_property: '{"type":"object","properties":{"payload":true,"never":false}}',
  recursive:
    '{"type":"object","properties":{"root":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}',
  all_of_cycle:
    '{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}',
  type_lists:
    '{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["array","null"]},"c":{"type":[]}}}',
  details:
    '{"type":"object","properties":{"mode":{"type":"string","enum":["a","b"],"default":"a","format":"uri","minLength":2}}}',
  mixed_enum: '{"type":"object","properties":{"level":{"enum":[0,2,4,null,true,"x"]}}}',
  long_enum: `{"type":"object","properties":{"id":{"type":"string","enum":[${many(5000, (n) => `"value_${n}"`)}]}}}`,
  nothing: '{"type":"object"}',
  closed: '{"type":"object","properties":{},"additionalProperties":false}',
  ghosts: '{"type":"object","properties":{"a":{"type":"string"}},"required":["ghost","a","a"]}',
  deep: nested(1000),
  wide: `{"type":"object","properties":{${many(37, (n) => `"p${n}":{"type":"string"}`)},"Same":{},"same":{},"SAME":{}}}`,
  exact:
    '{"type":"object","type":"object","properties":{"a":{"default":9007199254740993},"b":{"maximum":1e400},"b":{"type":"integer"}}}',
  external: '{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}',
  unknown_keyword: '{"type":"object","dependentRequired":{"a":["b"]}}',
  patterns:
    '{"type":"object","properties":{"labels":{"type":"object","patternProperties":{"^x-":{"type":"string","maxLength":64}},"additionalProperties":{"type":"number"}},"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]},"dry_run":{"const":true,"description":"Only true is accepted"},"either":{"anyOf":[{"type":"string"},{"type":"null"}]},"filter":{"$ref":"#/$defs/filter"}},"$defs":{"filter":{"description":"A condition, or several of them","oneOf":[{"type":"string","examples":["amount > 10000"]},{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/filter"}}},"required":["all"]}]}}}',
};

/** An entry as the wire has it; a schema's size is its bytes. */
export function sampleEntry(change: Partial<t.Entry> & { served: string }): t.Entry {
  const schema = change.input_schema;
  return {
    canonical: change.served,
    source: "builtin",
    description: "",
    has_description: (change.description ?? "") !== "",
    description_cut: false,
    schema_bytes: schema ? new TextEncoder().encode(schema).length : 0,
    ...change,
  };
}

function counted(entry: t.Entry): t.Entry {
  const parts = {
    name: Math.ceil(entry.served.length / 4),
    description: Math.ceil(entry.description.length / 4),
    input_schema: Math.ceil(entry.schema_bytes / 4),
  };
  return { ...entry, parts, estimate: parts.name + parts.description + parts.input_schema + 4 };
}

function catalogOf(entries: t.Entry[], change: Partial<t.Catalog> = {}): t.Catalog {
  const sorted = [...entries].sort((a, b) => (a.served < b.served ? -1 : 1));
  return {
    entries: sorted,
    total: entries.length,
    unnamed: 0,
    truncated: false,
    tokens_total: sorted.reduce((sum, entry) => sum + (entry.estimate ?? 0), 0),
    tokens_cover: sorted.length,
    method: "o200k_base:mcp-tool-json-v1",
    compared: true,
    ...change,
  };
}

/** One tool for each odd schema, and tools with odd names and descriptions. */
export function oddCatalog(): t.Catalog {
  const schemas = Object.entries(oddSchemas).map(([name, input_schema]) =>
    counted(
      sampleEntry({
        served: `kandev_odd_${name}`,
        source: "plugin",
        plugin: "odd",
        input_schema,
        description: `The schema of the case ${name}.`,
      }),
    ),
  );
  const plain = '{"type":"object","properties":{}}';
  const others = [
    sampleEntry({
      served: "html_kandev",
      description: "<img src=x onerror=alert(1)> [x](javascript:1) `````",
      input_schema: plain,
    }),
    sampleEntry({
      served: "ansi_kandev",
      description: "a\u001b[2J\u001b]0;PWNED\u0007b\nRows are left out\u202e unless asked.",
      input_schema: plain,
    }),
    sampleEntry({ served: "blank_kandev", description: " \n ", has_description: true, input_schema: plain }),
    sampleEntry({ served: "silent_kandev", input_schema: plain }),
    sampleEntry({
      served: "cut_kandev",
      description: `${"long ".repeat(204)}é`,
      description_cut: true,
      input_schema: plain,
    }),
    sampleEntry({
      served: "large_kandev",
      description: "Too large.",
      schema_absent: "too_large",
      schema_bytes: 83_000,
    }),
    sampleEntry({
      served: "late_kandev",
      description: "No room.",
      schema_absent: "catalog_full",
      schema_bytes: 61_000,
    }),
    sampleEntry({
      served: "true_kandev",
      description: "Its schema is true.",
      schema_absent: "not_an_object",
      schema_bytes: 4,
    }),
    sampleEntry({
      served: "kandev_odd_\u202etropxe_lla",
      source: "plugin",
      plugin: "odd",
      description: "Reversed.",
      input_schema: plain,
    }),
    sampleEntry({
      served: "kandev_argocd_get_application_managed_resource_with_every_child_and_event",
      source: "plugin",
      plugin: "argocd",
      description: "x",
      input_schema: plain,
    }),
    sampleEntry({ served: "twin_kandev", description: "The first.", input_schema: plain }),
    sampleEntry({ served: "twin_kandev", description: "The second.", input_schema: plain }),
  ].map(counted);
  return catalogOf([...schemas, ...others], { total: schemas.length + others.length + 3, truncated: true });
}

/** A full catalog: 128 tools whose schemas fill almost 512 KiB. */
export function fullCatalog(tools = 128, schemaBytes = 4000): t.Catalog {
  const entries = Array.from({ length: tools }, (_, n) => {
    const properties: string[] = [];
    for (let size = 60; size < schemaBytes - 130; ) {
      const at = properties.length;
      const property = `"field_${n}_${at}":{"type":["string","null"],"description":"What is kept in field ${at} of table ${n}, in one sentence.","maxLength":${at + 1}}`;
      properties.push(property);
      size += property.length + 1;
    }
    const input_schema = `{"type":"object","properties":{${properties.join(",")}},"additionalProperties":false}`;
    return counted(
      sampleEntry({
        served: `kandev_ledgerql_query_${String(n).padStart(3, "0")}`,
        source: "plugin",
        plugin: "ledgerql",
        description: `Reads rows of table ${n}. ${"Amounts are minor units. ".repeat(8)}`,
        input_schema,
      }),
    );
  });
  return catalogOf(entries);
}
