import type * as t from "./types";

// A catalog for the fake backend: made-up tools with schemas of several shapes.

const string = (description: string) => ({ type: "string", description });

const schemas: [name: string, description: string, schema: unknown][] = [
  [
    "ask_user_question",
    "Ask the person up to four questions and wait for the answers.\n\nUse it when a decision is theirs: two readings of the task, a choice with a cost.",
    {
      type: "object",
      properties: {
        context: string("One or two sentences that the person needs to know first."),
        questions: {
          type: "array",
          minItems: 1,
          maxItems: 4,
          items: {
            type: "object",
            properties: {
              title: { type: "string", maxLength: 80 },
              prompt: string("The question, one sentence."),
              options: { type: "array", items: { $ref: "#/$defs/option" }, maxItems: 6 },
              multiple: { type: "boolean", default: false },
            },
            required: ["prompt"],
          },
        },
      },
      required: ["questions"],
      $defs: {
        option: {
          type: "object",
          properties: { label: { type: "string" }, description: { type: "string" } },
          required: ["label"],
        },
      },
      additionalProperties: false,
    },
  ],
  [
    "create_task",
    "Create a task on the board.",
    {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, maxLength: 200 },
        step: { type: "string", enum: ["backlog", "plan", "build", "review", "done"], default: "backlog" },
        parent: { type: ["string", "null"], description: "Id of the task it belongs to." },
      },
      required: ["title"],
      additionalProperties: false,
    },
  ],
  [
    "get_task",
    "One task with its sessions.",
    { type: "object", properties: { task: string("Task id.") }, required: ["task"] },
  ],
  [
    "list_tasks",
    "Tasks on the board, compact, newest first.",
    {
      type: "object",
      properties: {
        step: { type: "string", enum: ["backlog", "plan", "build", "review", "done"] },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
        cursor: string("From the last answer."),
      },
      additionalProperties: false,
    },
  ],
  [
    "set_task_title",
    "Name the task of this session.",
    { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  ],
  [
    "update_task",
    "Change a task: its title, step or parent.",
    {
      type: "object",
      properties: {
        task: string("Task id."),
        title: { type: "string" },
        step: { type: "string" },
        payload: true,
        never: false,
      },
      required: ["task", "ghost"],
      anyOf: [{ required: ["title"] }, { required: ["step"] }],
    },
  ],
];

function entry(name: string, description: string, schema: unknown, n: number): t.Entry {
  const input = JSON.stringify(schema);
  const estimate = Math.round(input.length / 4 + description.length / 4 + 12);
  return {
    served: `${name}_kandev`,
    canonical: `kandev.${name}`,
    source: "builtin",
    description,
    has_description: description !== "",
    description_cut: false,
    input_schema: input,
    schema_bytes: input.length,
    estimate,
    parts: {
      name: 4,
      description: Math.round(description.length / 4),
      input_schema: Math.round(input.length / 4),
    },
    mark: n === 3 ? "changed" : undefined,
  };
}

function plugin(n: number): t.Entry {
  const name = `query_${String(n).padStart(3, "0")}`;
  const made = entry(
    name,
    n % 7 === 0 ? "Reads \u202erows\u202c of a table.\u001b[2J" : `Reads rows of table ${n}.`,
    {
      type: "object",
      properties: {
        node: { $ref: "#/$defs/node" },
        mode: { enum: [0, 2, 4, null, true, "x"] },
        filter: { type: "object" },
      },
      $defs: {
        node: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } },
        },
      },
    },
    0,
  );
  const big = n % 11 === 0;
  return {
    ...made,
    served: `kandev_ledgerql_${name}`,
    canonical: `ledgerql.${name}`,
    source: "plugin",
    plugin: "ledgerql",
    estimate: n % 13 === 0 ? undefined : (made.estimate ?? 0) + n * 3,
    ...(big
      ? { input_schema: undefined, schema_absent: "too_large", schema_bytes: 83_000, parts: undefined }
      : {}),
    description_cut: n % 9 === 0,
    mark: n === 5 ? "new" : undefined,
  };
}

/** The six built-in tools, and as many plugin tools as wanted. */
export function catalog(plugins = 0): t.Catalog {
  const entries = [
    ...schemas.map(([name, description, schema], n) => entry(name, description, schema, n)),
    ...Array.from({ length: plugins }, (_, n) => plugin(n + 1)),
  ].sort((a, b) => (a.served < b.served ? -1 : 1));
  const counted = entries.filter((e) => e.estimate !== undefined);
  return {
    entries,
    total: plugins > 100 ? entries.length + 12 : entries.length,
    unnamed: 0,
    truncated: plugins > 100,
    tokens_total: counted.reduce((sum, e) => sum + (e.estimate ?? 0), 0),
    tokens_cover: counted.length,
    method: "o200k_base/1",
    compared: true,
  };
}
