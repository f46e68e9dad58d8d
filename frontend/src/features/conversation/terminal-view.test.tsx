import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Terminal } from "../../backend/types";
import { TerminalView, terminalStatus } from "./terminal-view";

const terminal = (change: Partial<Terminal>): Terminal =>
  ({ id: "term_1", command: "go test", ended: true, ...change }) as Terminal;
const html = (change: Partial<Terminal>) =>
  renderToStaticMarkup(<TerminalView terminal={terminal(change)} />);

it.each([
  [{ ended: false }, "Running", "working"],
  [{ code: 0 }, "exit 0", "done"],
  [{ code: 127 }, "exit 127", "failed"],
  [{ signal: "SIGKILL" }, "ended by SIGKILL", "stopped"],
  [{}, "ended", "stopped"],
  [{ command: "" }, "no such terminal", "unknown"],
])("says how a command stands: %j", (change, word, shape) => {
  expect(terminalStatus(terminal(change))).toMatchObject({ word, shape });
});

it("shows what was printed as text, without colours, hidden characters marked", () => {
  const out = html({ output: "\x1b[31m<b>red</b>\x1b[0m\u202e\n\x08", code: 1, command: "printf\u202ex" });
  expect(out).toContain("&lt;b&gt;red&lt;/b&gt;");
  expect(out).not.toContain("[31m");
  expect(out.match(/⟨U\+202E⟩/g)).toHaveLength(2);
  expect(out).toContain("⟨U+0008⟩");
});

it("says what is missing, and nothing while there is nothing to say", () => {
  expect(html({ output: "end", cut: true })).toContain("too long to keep");
  expect(html({ cut: true })).toContain("was not stored");
  expect(html({ code: 0 })).toContain("printed nothing");
  expect(html({ ended: false })).not.toContain("term-note");
  expect(html({ command: "", id: "none" })).toContain("none");
});
