import { describe, expect, it } from "vitest";
import * as normal from "./normal";
import type * as t from "./types";

// What Go really writes (app/golden_test.go, run with -update), read as the window reads it.
const files = import.meta.glob<string>("./golden/*.json", { query: "?raw", import: "default", eager: true });

function golden<T>(name: string): T {
  return JSON.parse(files[`./golden/${name}.json`] ?? "") as T;
}

describe("views that Go writes", () => {
  it("an attachment with a catalog, an earlier attempt and a filtered server", () => {
    const a = normal.attachment(golden<t.Attachment>("attachment"));
    expect(a.attempts.map((attempt) => attempt.id)).toEqual(["a1", "a2"]);
    expect(a.catalog?.entries.map((e) => [e.served, e.canonical, e.estimate])).toEqual([
      ["ask_user_question", "ask_user_question_kandev", 60],
      ["kandev_x_big", "kandev_x_big", 50],
      ["kandev_x_odd", "kandev_x_odd", 10],
    ]);
    expect(a.attempts[1]?.servers.map((s) => s.status)).toEqual(["active", "filtered"]);
    expect(a.agent.form).toBe("{tool}_{server}");
  });

  it("an attachment before the first attempt has lists, not null", () => {
    const a = normal.attachment(golden<t.Attachment>("attachment_empty"));
    expect(a.attempts).toEqual([]);
    expect(a.catalog).toBeUndefined();
  });

  it("a plugin, and a file that would update it", () => {
    const page = normal.plugins({
      revision: 1,
      plugins: [golden<t.Plugin>("plugin")],
      encrypted: true,
      place: "",
    });
    const [plugin] = page.plugins;
    expect(plugin?.tools[0]?.original).toBe("make-slug");
    for (const list of [plugin?.config, plugin?.missing, plugin?.runs, plugin?.warnings, plugin?.asks.hosts])
      expect(Array.isArray(list)).toBe(true);
    const found = normal.inspection(golden<t.PluginInspection>("inspection"));
    expect(found.plugin.requested.hosts).toEqual(["api.example.com"]);
    for (const list of [found.problems, found.update?.added, found.update?.asks.hosts])
      expect(Array.isArray(list)).toBe(true);
  });

  it("a transcript keeps the exact text of a call's input", () => {
    const page = normal.transcript(golden<t.Transcript>("transcript"));
    expect(page.revision).toBe(7);
    expect(page.items[1]?.tool?.input).toBe('{"n":9007199254740993}');
  });

  it("a question, a permission request and an event", () => {
    expect(normal.question(golden<t.Question>("question")).questions[1]?.options).toEqual([]);
    expect(normal.permission(golden<t.Permission>("permission")).options).toHaveLength(1);
    expect(normal.event(golden<t.event.Event>("event")).view.session?.id).toBe("s_1");
  });
});
