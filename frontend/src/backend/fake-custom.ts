import { BackendError } from "./error";
import { agents } from "./fake-agents";
import type * as t from "./types";

/** The person's own agents of the fake, in memory: samples, no facts. */
export class FakeCustom {
  private made = 0;
  private all: t.Agent[] = [];

  constructor() {
    this.save({
      id: "",
      name: "House agent",
      line: 'node "/home/ada/house agent/agent.mjs" --acp',
      env: [{ name: "HOUSE_KEY", value: "x", keep: false }],
      bearer: "header",
    } as unknown as t.CustomChange);
    this.save({
      id: "",
      name: "Old try",
      line: "try-agent",
      env: [],
      bearer: "env",
    } as unknown as t.CustomChange);
  }

  list(): t.Agent[] {
    return [...agents, ...this.all];
  }

  // The app's own rules are richer; what is left here is enough to see the form.
  check(line: string): t.CommandCheck {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? "");
    const here = words[0] === "node" || words[0] === "npx";
    const why = `The agent's program ${words[0]} was not found. Kandev looked in the 9 folders of your login shell's PATH.`;
    return { words, path: here ? `/usr/bin/${words[0]}` : "", why: here ? "" : why };
  }

  save(change: t.CustomChange): string {
    if (change.name.trim() === "")
      throw new BackendError("failed", "This agent cannot be saved: it needs a name.");
    if (change.line.trim() === "")
      throw new BackendError("failed", "This agent cannot be saved: it needs a command.");
    const id = change.id || `custom_${++this.made}`;
    const check = this.check(change.line);
    const custom = {
      line: change.line,
      words: check.words,
      env: change.env.map((value) => value.name),
      bearer: change.bearer,
    };
    const facts = {
      ...agents[0]?.facts,
      starts: check.words.join(" "),
      model_name: "",
      keeps_its_context: false,
    };
    const installed = check.path !== "";
    const agent = { id, name: change.name, installed, embedded: false, pending: false, facts, custom };
    const kept = { ...agent, path: check.path, why: check.why } as unknown as t.Agent;
    const at = this.all.findIndex((one) => one.id === id);
    this.all = at < 0 ? [...this.all, kept] : this.all.with(at, kept);
    return id;
  }

  remove(id: string) {
    this.all = this.all.filter((agent) => agent.id !== id);
  }
}
