import { expect, test } from "vitest";
import type { Agent, event } from "../backend/types";
import { agentName } from "./agent-name";

const agents = [
  { id: "toolbench", name: "Toolbench" },
  { id: "house", name: "House 2" },
] as Agent[];

test.each([
  ["toolbench", "Toolbench 0.1.0-dev.413", "Toolbench"],
  ["toolbench", "Toolbench", "Toolbench"],
  ["house", "House 2", "House 2"],
  ["house", "House 2 2.0.1", "House 2"],
  ["house", "House 20", "House 20"],
  ["gone", "Gone 1.0", "Gone 1.0"],
  ["gone", "", "gone"],
])("the agent %s of a session, told as %j, is called %j", (agent, agent_name, want) => {
  expect(agentName({ agent, agent_name } as event.Session, agents)).toBe(want);
});

test("before the agents were looked up it is told as it is", () => {
  const session = { agent: "toolbench", agent_name: "Toolbench 0.1.0" } as event.Session;
  expect(agentName(session, null)).toBe("Toolbench 0.1.0");
});
