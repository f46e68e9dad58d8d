import { expect, test } from "vitest";
import { fileName, isPartial, schemaText, toolsListText, toolText } from "./copy";
import { fullCatalog, oddCatalog, oddSchemas, sampleEntry } from "./sample";

test.each([
  ["odd", oddCatalog()],
  ["full", fullCatalog()],
])("the copy of the %s catalog is a valid tools/list result", (_, catalog) => {
  const result = JSON.parse(toolsListText(catalog)) as { tools: Record<string, unknown>[] };
  expect(result.tools).toHaveLength(catalog.entries.length);
  for (const tool of result.tools) {
    expect(typeof tool.name).toBe("string");
    expect(typeof tool.inputSchema).toBe("object");
    expect(tool.inputSchema).not.toBeNull();
  }
});

test("7, 22: a schema is put in byte for byte, with its $defs, numbers and duplicates", () => {
  for (const name of ["recursive", "exact"]) {
    const input_schema = oddSchemas[name] as string;
    expect(toolText(sampleEntry({ served: "x", input_schema }))).toContain(`"inputSchema":${input_schema}}`);
  }
});

test("21: what is not stored says so, and the tool counts as partial", () => {
  const entry = sampleEntry({ served: "x", schema_absent: "too_large", schema_bytes: 83_000 });
  expect(schemaText(entry)).toBe('{"type":"object","$comment":"not stored: 81 KiB"}');
  expect(isPartial(entry)).toBe(true);
  expect(isPartial(sampleEntry({ served: "x", input_schema: "{}" }))).toBe(false);
});

test("32, 33: copying copies the real characters", () => {
  const text = toolText(sampleEntry({ served: "a\u202eb", description: "\u001b[2J\n<b>" }));
  expect(JSON.parse(text)).toMatchObject({ name: "a\u202eb", description: "\u001b[2J\n<b>" });
});

test.each([
  ["list_tasks_kandev", "list_tasks_kandev.json"],
  ["../a\u202eb/c:d", "_a_b_c_d.json"],
  ["n".repeat(300), `${"n".repeat(100)}.json`],
  ["", "tool.json"],
])("the file of the tool %j is called %s", (name, want) => {
  expect(fileName(name)).toBe(want);
});
