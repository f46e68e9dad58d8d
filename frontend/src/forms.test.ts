import { expect, it } from "vitest";
import { subject } from "./features/permission/subject";
import { answersOf, choose, complete, write } from "./features/question/question-parts";
import { argumentsOf, fieldsOf, promptOf } from "./features/sessions/bench-arguments";

const one = { id: "1", prompt: "?", multiple: false, options: [{ label: "a" }, { label: "b" }] };
const many = { ...one, id: "2", multiple: true };
const none = { chosen: [], text: "" };

it("takes one choice or any number", () => {
  expect(choose(one, { chosen: ["a"], text: "x" }, "b")).toEqual({ chosen: ["b"], text: "" });
  expect(choose(many, choose(many, none, "a"), "b").chosen).toEqual(["a", "b"]);
  expect(choose(many, { chosen: ["a", "b"], text: "x" }, "a")).toEqual({ chosen: ["b"], text: "x" });
  expect(write(one, { chosen: ["a"], text: "" }, "own")).toEqual({ chosen: [], text: "own" });
  expect(write(many, { chosen: ["a"], text: "" }, "own")).toEqual({ chosen: ["a"], text: "own" });
});

it("is complete when every question has a choice or a text that is more than blanks", () => {
  expect(complete([one, many], { 1: { chosen: ["a"], text: "" } })).toBe(false);
  expect(complete([one, many], { 1: { chosen: ["a"], text: "" }, 2: { chosen: [], text: "  " } })).toBe(
    false,
  );
  expect(complete([one, many], { 1: { chosen: ["a"], text: "" }, 2: { chosen: [], text: " x " } })).toBe(
    true,
  );
  expect(answersOf([one, many], { 1: { chosen: ["a"], text: "" }, 2: { chosen: [], text: " x " } })).toEqual([
    { question: "1", chosen: ["a"] },
    { question: "2", chosen: [], text: "x" },
  ]);
});

it("makes fields of a plain schema and says when a form cannot", () => {
  const schema = JSON.stringify({
    properties: {
      n: { type: "integer", minimum: 1, maximum: 200 },
      s: { type: "string" },
      any: true,
      list: { type: "array" },
    },
    required: ["s"],
  });
  const fields = fieldsOf(schema) ?? [];
  expect(fields.map((f) => [f.name, f.type, f.required])).toEqual([
    ["n", "integer", false],
    ["s", "string", true],
    ["any", "json", false],
    ["list", "json", false],
  ]);
  expect(argumentsOf(fields, { n: "10", s: "10", list: "[1,", any: "" })).toBe(
    '{"n": 10, "s": "10", "list": "[1,"}',
  );
  for (const bad of [undefined, "true", "null", "[]", "{", '"x"']) expect(fieldsOf(bad)).toBeNull();
});

it("makes a prompt of a JSON object only", () => {
  expect(promptOf("list_tasks", "")).toBe("list_tasks {}");
  expect(promptOf("list_tasks", ' {"n": 9007199254740993} ')).toBe('list_tasks {"n": 9007199254740993}');
  for (const bad of ["[]", "1", "null", "{"]) expect(promptOf("x", bad)).toBe("");
});

it("shows all of what a permission is asked for", () => {
  const ask = (title: string, input?: string) =>
    subject({
      id: "",
      session: "",
      call_id: "",
      title,
      input,
      options: [],
      state: "open",
      by_rule: false,
      revision: 0,
      asked_at: 0,
    });
  expect(ask("ls", '{"command":"ls"}')).toBe("$ ls");
  expect(ask("list files", '{"command":["rm","-rf","x"]}')).toBe("list files\n$ rm -rf x");
  expect(ask("ls", '{"command":"ls","cwd":"/"}')).toContain('"cwd": "/"');
  expect(ask("x", "not json")).toBe("x\nnot json");
  expect(ask("x")).toBe("x");
});
