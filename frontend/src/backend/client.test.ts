import { afterEach, describe, expect, it, vi } from "vitest";
import { type Bound, createClient, fetchToken } from "./client";
import { wailsEvents } from "./events";
import type { event } from "./types";

const bound = (methods: Record<string, unknown>) => () => methods as Bound;

describe("fetchToken", () => {
  afterEach(() => vi.unstubAllGlobals());
  const answers = (body: string, status = 200) =>
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(body, { status })),
    );

  it("asks with the header that a foreign page cannot send", async () => {
    answers('{"token":"secret"}');
    expect(await fetchToken()).toBe("secret");
    expect(fetch).toHaveBeenCalledWith("/kandev/token", {
      cache: "no-store",
      headers: { "X-Kandev-Page": "1" },
    });
  });

  it.each([
    ["<!doctype html>", 200, "no token"],
    ["{}", 200, "no token"],
    ["null", 200, "no token"],
    ['{"token":1}', 200, "no token"],
    ["Forbidden", 403, "403"],
  ])("takes nothing else for a token: %s", async (body, status, why) => {
    answers(body, status);
    await expect(fetchToken()).rejects.toThrow(why);
  });
});

describe("createClient", () => {
  it("fetches the token once and passes it first", async () => {
    const Prompt = vi.fn(async () => {});
    const token = vi.fn(async () => "secret");
    const client = createClient(bound({ Prompt }), token);
    await client.prompt("s_1", "hi");
    await client.prompt("s_1", "ho");
    expect(token).toHaveBeenCalledTimes(1);
    expect(Prompt.mock.calls).toEqual([
      ["secret", "s_1", "hi"],
      ["secret", "s_1", "ho"],
    ]);
  });

  it("fetches it again after a failure, and after it was refused", async () => {
    const token = vi.fn().mockRejectedValueOnce(new Error("offline")).mockResolvedValue("new");
    const Quit = vi
      .fn()
      .mockRejectedValueOnce(new Error('{"code":"token","message":"reload"}'))
      .mockResolvedValue(null);
    const client = createClient(bound({ Quit }), token);
    await expect(client.quit()).rejects.toThrow("offline");
    await expect(client.quit()).rejects.toMatchObject({ code: "token", message: "reload" });
    await client.quit();
    expect(token).toHaveBeenCalledTimes(3);
  });

  it.each([
    [
      new Error('{"code":"not_found","message":"There is no such session."}'),
      "not_found",
      "There is no such session.",
    ],
    [new Error("plain"), "failed", "plain"],
    [new Error('{"x":1}'), "failed", '{"x":1}'],
    [new Error("null"), "failed", "null"],
    ["text", "failed", "text"],
  ])("reads the error %s", async (thrown, code, message) => {
    const client = createClient(bound({ Storage: () => Promise.reject(thrown) }), async () => "t");
    await expect(client.storage()).rejects.toMatchObject({ name: "BackendError", code, message });
  });

  it("rejects for a method that the app lacks instead of waiting for ever", async () => {
    const client = createClient(bound({}), async () => "t");
    await expect(client.quit()).rejects.toThrow("no method Quit");
  });

  it("makes lists of Go's nil slices", async () => {
    const methods = {
      Snapshot: async () => ({
        epoch: "e",
        seq: 1,
        sessions: null,
        attachments: [{ session: "s", servers: null }],
        settings: { preamble_off: null },
      }),
      Agents: async () => null,
      Transcript: async () => ({ session: "s", items: null }),
      Question: async () => ({ id: "q", questions: [{ id: "1", options: null }], answers: null }),
      Attachment: async () => ({
        session: "s",
        attempts: [{ id: "a", servers: null }],
        catalog: { entries: null },
      }),
    };
    const client = createClient(bound(methods), async () => "t");
    expect(await client.agents()).toEqual([]);
    expect(await client.snapshot()).toMatchObject({
      sessions: [],
      tasks: [],
      attachments: [{ servers: [] }],
    });
    expect((await client.transcript("s", 0)).items).toEqual([]);
    expect(await client.question("q")).toMatchObject({ answers: [], questions: [{ options: [] }] });
    expect(await client.attachment("s")).toMatchObject({
      attempts: [{ servers: [] }],
      catalog: { entries: [] },
      uses: [],
    });
  });
});

describe("wailsEvents", () => {
  it("adds and removes its listener only in a microtask", async () => {
    const off = vi.fn();
    let emit: (e: unknown) => void = () => {};
    const EventsOn = vi.fn((_: string, listener: (e: unknown) => void) => {
      emit = listener;
      return off;
    });
    const got: event.Event[] = [];
    const end = wailsEvents(() => ({ EventsOn })).subscribe((e) => got.push(e));
    expect(EventsOn).not.toHaveBeenCalled();
    await Promise.resolve();
    emit({ epoch: "e", prev: 0, seq: 1, view: { quit: { agents: null } } });
    expect(got[0]?.view.quit?.agents).toEqual([]);
    end();
    expect(off).not.toHaveBeenCalled();
    emit({ epoch: "e", prev: 1, seq: 2, view: {} });
    await Promise.resolve();
    expect(off).toHaveBeenCalledOnce();
    expect(got).toHaveLength(1);
  });
});
