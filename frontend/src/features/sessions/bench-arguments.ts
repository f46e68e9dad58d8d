// Arguments of a call by hand, from the plain part of a schema. Whatever is not plain goes as JSON.

export interface FormField {
  name: string;
  type: "string" | "integer" | "number" | "boolean" | "json";
  required: boolean;
  /** Values to choose from; each is written as JSON unless the type is string. */
  choices?: string[];
  hint: string;
  /** Bounds of a number, for the eye. */
  range?: string;
}

const most = 8;

interface Property {
  type?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: unknown;
  minimum?: unknown;
  maximum?: unknown;
}

/** The fields of a schema, or null when a form cannot say it: no object, too many, or no schema. */
export function fieldsOf(schema: string | undefined): FormField[] | null {
  if (!schema) return null;
  let root: { properties?: Record<string, unknown>; required?: unknown };
  try {
    root = JSON.parse(schema);
  } catch {
    return null;
  }
  if (typeof root !== "object" || root === null || Array.isArray(root)) return null;
  const properties = Object.entries(root.properties ?? {});
  if (properties.length > most) return null;
  const required = Array.isArray(root.required) ? root.required : [];
  return properties.map(([name, given]) => fieldOf(name, given, required.includes(name)));
}

function fieldOf(name: string, given: unknown, required: boolean): FormField {
  const property: Property = typeof given === "object" && given !== null ? given : {};
  const plain = ["string", "integer", "number", "boolean"].find((type) => type === property.type);
  const type = (plain ?? "json") as FormField["type"];
  const hint =
    property.default !== undefined
      ? String(JSON.stringify(property.default))
      : required
        ? "required"
        : String(property.description ?? "").split("\n")[0] || "";
  const field: FormField = { name, type, required, hint };
  if (type === "boolean") field.choices = ["true", "false"];
  if (type === "string" && Array.isArray(property.enum) && property.enum.every((v) => typeof v === "string"))
    field.choices = property.enum.slice(0, 50);
  if (field.choices) field.hint = property.default === undefined ? "" : String(property.default);
  if (property.minimum !== undefined || property.maximum !== undefined)
    field.range = `${property.minimum ?? "…"} … ${property.maximum ?? ""}`.trim();
  return field;
}

/** The filled fields as a JSON object. What is no number or JSON stays text: the server says what is wrong. */
export function argumentsOf(fields: FormField[], values: Record<string, string>): string {
  const parts: string[] = [];
  for (const field of fields) {
    const value = values[field.name] ?? "";
    if (value === "") continue;
    parts.push(`${JSON.stringify(field.name)}: ${literal(field.type, value)}`);
  }
  return `{${parts.join(", ")}}`;
}

function literal(type: FormField["type"], value: string): string {
  if (type === "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return value.trim();
  } catch {
    return JSON.stringify(value);
  }
}

/** The prompt that calls a tool, or "" when the arguments are no JSON object. */
export function promptOf(tool: string, json: string): string {
  const text = json.trim() || "{}";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  } catch {
    return "";
  }
  return `${tool} ${text}`;
}
