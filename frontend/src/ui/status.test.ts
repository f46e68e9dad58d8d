import { expect, it } from "vitest";
import { serverStatus } from "./status";

it("has the explorer's words for every status, and never a live shape without an agent", () => {
  const words = {
    active: "Active",
    connected: "Connected",
    disconnected: "Disconnected",
    delivered: "Delivered, connection unverified",
    failed: "Failed",
    filtered: "Filtered",
    unavailable: "Unavailable",
    unknown: "Unknown",
    "a status of a newer app": "Unknown",
  };
  const shapes = new Set<string>();
  for (const [status, word] of Object.entries(words)) {
    expect(serverStatus(status, true).word).toBe(word);
    expect(serverStatus(status, false)).toEqual({ shape: "last", tone: "idle", word });
    shapes.add(serverStatus(status, true).shape);
  }
  expect(shapes.size).toBe(8); // told apart without a colour
});
