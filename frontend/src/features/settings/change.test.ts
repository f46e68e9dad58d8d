import { expect, it } from "vitest";
import { blank, changeOf, lines, values } from "./change";

it("keeps every stored value of a server that is only switched", () => {
  const server = { ...blank("claude"), id: "m_1", env: ["A"], headers: ["X-Key", "Y"], off: true };
  expect(changeOf(server)).toEqual({
    ...server,
    env: [{ name: "A", value: "", keep: true }],
    headers: [
      { name: "X-Key", value: "", keep: true },
      { name: "Y", value: "", keep: true },
    ],
  });
});

it("sends rows with anything in them, so that the app can say what is missing", () => {
  const row = (name: string, value: string, keep = false) => ({ key: 1, name, value, keep });
  expect(values([row("", ""), row(" A ", "v"), row("", "v"), row("B", ""), row("C", "", true)])).toEqual([
    { name: "A", value: "v", keep: false },
    { name: "", value: "v", keep: false },
    { name: "B", value: "", keep: false },
    { name: "C", value: "", keep: true },
  ]);
});

it("takes one argument of each line and keeps the blanks inside", () => {
  expect(lines("-y\r\n\n  /with blank \n--x=1 2")).toEqual(["-y", "  /with blank ", "--x=1 2"]);
});
