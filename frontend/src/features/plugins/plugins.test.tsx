import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Backend } from "../../backend/backend";
import type * as t from "../../backend/types";
import { newStore } from "../../state/store";
import { KandevContext } from "../../state/use";
import { Inspection } from "./inspection";
import { footWord, goWord } from "./install-dialog";
import { PluginPage } from "./plugin-page";
import { noAsks, sampleField, samplePlugin, sampleTool } from "./sample";
import { hintWords, matching, missingNames, permissionRows, statusOf } from "./state-of";
import { changes, hostLines } from "./values";
import { words } from "./words";

describe("the state of a plugin", () => {
  it.each<[string, Partial<t.Plugin>, string, string]>([
    ["on", {}, "done", "Enabled"],
    ["on without what it needs", { missing: ["k"] }, "waiting", "Needs settings"],
    ["never on", { state: "installed" }, "ready", "Not enabled yet"],
    ["switched off", { state: "disabled", reason: "person" }, "ready", "Disabled"],
    ["asking for more", { state: "disabled", reason: "asks_more" }, "waiting", "Asks for more"],
    ["in a crash loop", { state: "disabled", reason: "crash_loop" }, "failed", "Switched off after failures"],
    ["changed", { state: "disabled", reason: "changed" }, "failed", "Its file changed"],
    ["unusable", { state: "disabled", reason: "unusable" }, "failed", "Cannot be used"],
    ["of a state that is not known here", { state: "paused" }, "ready", "paused"],
  ])("%s", (_, change, shape, word) => {
    expect(statusOf(samplePlugin(change))).toMatchObject({ shape, word });
  });

  it("says what to do about every reason that keeps a plugin off", () => {
    for (const reason of ["crash_loop", "changed", "unusable"]) expect(words.help[reason]).toMatch(/\.$/);
  });
});

it("finds plugins by name, id, and both names of a tool", () => {
  const list = [samplePlugin({ tools: [sampleTool()] }), samplePlugin({ id: "b", name: "Clock" })];
  const hits = (query: string) => matching(list, query).map(({ name }) => name);
  expect(hits("")).toEqual(["Slugs", "Clock"]);
  expect(hits("SLUG acme")).toEqual(["Slugs"]);
  expect(hits("make-slug")).toEqual(["Slugs"]);
  expect(hits("make_slug")).toEqual(["Slugs"]);
  expect(hits("clock slug")).toEqual([]);
});

it("marks what is asked beyond the grant", () => {
  const rows = permissionRows(
    samplePlugin({
      requested: { hosts: ["a.example", "*"], private_network: true, memory_mb: 128, timeout_ms: 30_000 },
      granted: { hosts: ["a.example"], private_network: false, memory_mb: 64, timeout_ms: 30_000 },
      asks: { ...noAsks, nothing: false, hosts: ["*"], private_network: true, memory_mb: 128 },
    }),
  );
  expect(rows.map(({ asks, granted, more }) => [asks, granted, more])).toEqual([
    [["a.example", "any site"], ["a.example"], ["any site"]],
    [["yes"], ["no"], ["yes"]],
    [["128 MB"], ["64 MB"], ["128 MB"]],
    [["30 s"], ["30 s"], []],
  ]);
  expect(permissionRows(samplePlugin({ granted: undefined })).every((row) => row.granted.length === 0)).toBe(
    true,
  );
});

it("says what a tool says of itself, and no more", () => {
  expect(hintWords(sampleTool())).toEqual([]);
  expect(hintWords(sampleTool({ read_only: true, destructive: false, idempotent: false }))).toEqual([
    "reads only",
    "destroys nothing",
  ]);
});

describe("what the form sends", () => {
  const fields = [
    sampleField("token", { secret: true, set: true }),
    sampleField("region", { set: true, value: "eu" }),
    sampleField("on", { type: "boolean" }),
  ];
  const none = new Set<string>();

  it("is only what was changed", () => {
    expect(changes(fields, {}, none, [])).toEqual([]);
    expect(changes(fields, { region: "eu", token: "" }, none, [])).toEqual([]);
    expect(changes(fields, { region: "us", token: "x", on: "true" }, none, [])).toEqual([
      { key: "token", value: "x", keep: false, secret: true },
      { key: "region", value: "us", keep: false, secret: false },
      { key: "on", value: "true", keep: false, secret: false },
    ]);
  });

  it("forgets a secret only by its cross, other settings by an empty field", () => {
    expect(changes(fields, { region: "", token: "" }, new Set(["token"]), [])).toEqual([
      { key: "token", value: "", keep: false, secret: true },
      { key: "region", value: "", keep: false, secret: false },
    ]);
  });

  it("takes added rows that have a key", () => {
    const rows = [
      { id: 1, key: " zone ", value: "x", secret: false },
      { id: 2, key: " ", value: "y", secret: true },
    ];
    expect(changes([], {}, none, rows)).toEqual([{ key: "zone", value: "x", keep: false, secret: false }]);
  });

  it("reads hosts by line, blank and comma", () => {
    expect(hostLines(" a.example\n\n*.b.example, c.example \n")).toEqual([
      "a.example",
      "*.b.example",
      "c.example",
    ]);
    expect(hostLines(" \n")).toEqual([]);
  });
});

it("names missing settings as a person knows them", () => {
  const config = [sampleField("k", { title: "API key" })];
  expect(missingNames(samplePlugin({ config, missing: ["k", "gone"] }))).toBe("API key, gone");
});

const inspection = (change: Partial<t.PluginInspection> = {}): t.PluginInspection => ({
  path: "/tmp/a.zip",
  bytes: 10,
  digest: "d",
  plugin: samplePlugin({ tools: [sampleTool()], granted: undefined }),
  ran_code: false,
  problems: [],
  ...change,
});

describe("before a plugin is installed", () => {
  const update = (change: Partial<t.PluginUpdate>): t.PluginUpdate => ({
    version: "0.9.0",
    state: "enabled",
    after: "enabled",
    same: false,
    asks: noAsks,
    added: [],
    removed: [],
    changed: [],
    ...change,
  });
  const asks = { ...noAsks, nothing: false, hosts: ["b.example"] };

  it("the dialog says what will be after it", () => {
    expect(footWord(inspection())).toBe(words.installing.foot);
    expect(footWord(inspection({ update: update({}) }))).toBe(words.installing.footKeeps);
    expect(footWord(inspection({ update: update({ after: "disabled", asks }) }))).toBe(
      words.installing.footAsks,
    );
    expect(footWord(inspection({ update: update({ state: "installed", after: "installed" }) }))).toBe(
      words.installing.footOff,
    );
  });

  it("the button says install, update or replace", () => {
    const bare = samplePlugin({ bare: true, version: "0.0.0" });
    expect(goWord(inspection())).toBe(words.installing.button);
    expect(goWord(inspection({ update: update({}) }))).toBe(words.installing.buttonUpdate);
    expect(goWord(inspection({ plugin: bare, update: update({}) }))).toBe(words.installing.buttonReplace);
    expect(goWord(inspection({ plugin: bare, update: update({ same: true }) }))).toBe(
      words.installing.buttonUpdate,
    );
  });

  const html = (given: t.PluginInspection) => renderToStaticMarkup(<Inspection inspection={given} />);

  it("says whether code of it has run", () => {
    expect(html(inspection())).toContain(words.installing.notRun);
    const bare = html(inspection({ ran_code: true, plugin: samplePlugin({ bare: true }) }));
    expect(bare).toContain(words.installing.ran);
    expect(bare).not.toContain(words.installing.notRun);
  });

  it("shows problems, and foreign text as text", () => {
    const out = html(
      inspection({
        problems: ["It needs <b>more</b>."],
        plugin: samplePlugin({ name: "<img src=x>\u202e", description: "a\u001b[2Jb" }),
      }),
    );
    expect(out).toContain("It needs &lt;b&gt;more&lt;/b&gt;.");
    expect(out).not.toContain("<img");
    expect(out).toContain("U+202E");
    expect(out).toContain("U+001B");
  });

  it("marks what an update asks for anew", () => {
    const plugin = samplePlugin({
      requested: { ...samplePlugin().requested, hosts: ["a.example", "b.example"] },
      tools: [sampleTool()],
    });
    const out = html(inspection({ plugin, update: update({ after: "disabled", asks, added: ["x"] }) }));
    expect(out).toContain(words.installing.from("0.9.0", "1.0.0"));
    expect(out.match(/pl-new/g)).toHaveLength(1);
    expect(out).toMatch(/b\.example<\/span><span class="tag pl-new">/);
  });

  it("says that another module takes the place of the installed one", () => {
    const plugin = samplePlugin({ bare: true, version: "0.0.0", tools: [sampleTool()] });
    const out = html(inspection({ plugin, update: update({ version: "0.0.0", added: ["x"] }) }));
    expect(out).toContain(words.installing.replaces);
    expect(out).toContain(words.installing.replacesNote);
    expect(out).not.toContain(words.installing.from("0.0.0", "0.0.0"));
    expect(out).toContain(words.installing.asksBare);
    const granted = { ...plugin.requested, hosts: ["kept.example"], private_network: true };
    const given = html(inspection({ plugin, update: update({ version: "0.0.0", granted }) }));
    expect(given).toContain(words.installing.keeps);
    expect(given).toContain("kept.example");
    expect(given).toContain(words.permissions.network);
    expect(given).not.toContain(words.enabling.noHost);
    const same = html(inspection({ plugin, update: update({ version: "0.0.0", same: true }) }));
    expect(same).not.toContain(words.installing.replaces);
    expect(same).toContain(words.installing.same);
  });
});

it("never holds a secret's value, and says that it is set", () => {
  const plugin = samplePlugin({
    config: [sampleField("token", { title: "Token", secret: true, set: true, value: "" })],
    homepage: "https://example.com",
  });
  const kandev = { store: newStore(), backend: {} as Backend, retry: () => {} };
  const out = renderToStaticMarkup(
    <KandevContext value={kandev}>
      <PluginPage plugin={plugin} place="Kept in the keychain." />
    </KandevContext>,
  );
  expect(out).toMatch(/<input type="password"[^>]*value=""/);
  expect(out).toContain(words.config.set);
  expect(out).toContain("Kept in the keychain.");
  expect(out).not.toContain('href="');
});
