import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import agents from "../../backend/golden/agents.json?raw";
import type * as t from "../../backend/types";
import { ForeignServer } from "./foreign-server";
import { changedHint, unconnected } from "./names";

// As Go writes them: app/golden_test.go.
const known: t.AgentNames[] = JSON.parse(agents);
const agent = (id: string) => known.find((one) => one.id === id) as t.AgentNames;

const unmeasured: t.AgentNames = { ...agent("auggie"), measured_with: "", client: { rewrite_keys: [] } };

const delivered = {
  name: "notes",
  source: "person",
  transport: "stdio",
  target: "notes-server",
  status: "delivered",
  stored: 0,
  truncated: false,
  tokens_cover: 0,
  counting: false,
  tools_changed: false,
  times: { delivered: 1 },
} as t.event.Server;

const html = (id: string, change: Partial<t.event.Server> = {}, live = true) =>
  renderToStaticMarkup(<ForeignServer server={{ ...delivered, ...change }} agent={agent(id)} live={live} />);

test("says who can read the values, and with which version that was seen", () => {
  expect(html("claude")).toContain("holds their names only");
  expect(html("claude")).toContain("Measured with Claude Code 2.1.318.");
  expect(html("codex")).toContain("Codex shows them on no command line. Measured with Codex 0.166.0.");
  expect(renderToStaticMarkup(<ForeignServer server={delivered} agent={unmeasured} live />)).toContain(
    "is not measured",
  );
});

test("says nothing of values that nobody was given", () => {
  const out = html("copilot", { status: "filtered", summary: "This agent drops servers that are commands." });
  expect(out).toContain("Not given to Copilot.");
  expect(out).toContain("This agent drops servers that are commands.");
  expect(out).not.toContain("command line");
});

test("says why a delivered server may stay without a connection, while the agent runs", () => {
  expect(html("gemini")).toContain("in a folder that its settings do not trust");
  expect(html("gemini", {}, false)).not.toContain("do not trust");
  expect(html("codex")).not.toContain("trust");
  expect(unconnected({ ...delivered, status: "connected" }, agent("gemini"), true)).toBe("");
});

test("says when changed tools reach the agent (case 53)", () => {
  expect(changedHint(agent("claude"))).toBe("It is replaced when Claude Code asks again.");
  expect(changedHint(agent("codex"))).toMatch(
    /^Codex keeps its first list\..*Measured with Codex 0\.166\.0\.$/,
  );
  expect(changedHint(agent("qwen"))).toMatch(/^Qwen keeps its first list/);
});
