import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../backend/backend";
import { words } from "../words";
import { showCard } from "./actions";
import { answerWithin } from "./connect";
import { hydrate } from "./hydrate";
import * as reduce from "./reduce";
import { event, item, session, snapshot } from "./sample";
import { newStore } from "./store";

const attachment = (rev: number, used = 0) => ({
  session: "s_1",
  attempt: "a_1",
  number: 1,
  live: true,
  catalog_rev: rev,
  servers: [
    {
      name: "kandev",
      source: "builtin",
      status: "active",
      stored: 1,
      truncated: false,
      tokens_cover: 1,
      counting: false,
      tools_changed: false,
      times: { used },
    },
  ],
});

function stand<T extends object>(change: T = {} as T) {
  const backend = {
    transcript: vi.fn(async (id: string, after: number) => ({
      session: id,
      revision: Math.max(after, 2),
      more: false,
      items: [item(1, 2)],
    })),
    attachment: vi.fn(async (id: string) => ({
      session: id,
      live: true,
      catalog_rev: 1,
      attempts: [],
      uses: [],
      evidence: [],
      other_calls: 0,
      agent: { id: "", name: "", form: "", limit: 0, defers: false },
    })),
    question: vi.fn(async (id: string) => ({
      id,
      session: "s_1",
      questions: [],
      answers: [],
      state: "open",
      revision: 1,
      asked_at: 0,
      deadline: 0,
    })),
    permission: vi.fn(),
    ...change,
  };
  const store = newStore();
  const hydration = hydrate(backend as unknown as Backend, store);
  const boot = (more = {}) =>
    store.setState(
      (state) =>
        reduce.applySnapshot(state, snapshot(1, { sessions: [session("s_1", { revision: 2 })], ...more })),
      true,
    );
  const emit = (seq: number, view: Parameters<typeof event>[1]) =>
    store.setState((state) => reduce.applyEvent(state, event(seq, view)), true);
  const flush = () => vi.advanceTimersByTimeAsync(0);
  return { backend, store, hydration, boot, emit, flush };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a transcript", () => {
  it("is pulled for the session on screen, and again when a newer revision is told", async () => {
    const { backend, boot, emit, flush } = stand();
    boot();
    await flush();
    expect(backend.transcript).toHaveBeenCalledTimes(1);
    emit(2, { transcript: { session: "s_1", revision: 5 } });
    await flush();
    expect(backend.transcript.mock.calls).toEqual([
      ["s_1", 0],
      ["s_1", 2],
    ]);
  });

  it("is read page by page while there is more", async () => {
    const pages = [1, 2, 3];
    const transcript = vi.fn(async (id: string, after: number) => {
      const n = pages.shift() ?? 9;
      return { session: id, revision: after + 1, more: pages.length > 0, items: [item(n, n)] };
    });
    const { store, boot, flush } = stand({ transcript });
    boot();
    await flush();
    expect(transcript.mock.calls.map((call) => call[1])).toEqual([0, 1, 2]);
    expect(store.getState().transcripts.s_1).toMatchObject({ revision: 3, complete: true });
  });

  it("is tried again with longer waits, says why, and by hand", async () => {
    const transcript = vi.fn().mockRejectedValue(new Error("busy"));
    const { store, hydration, boot } = stand({ transcript });
    boot();
    await vi.advanceTimersByTimeAsync(499);
    expect(transcript).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(transcript).toHaveBeenCalledTimes(6);
    expect(store.getState().pullErrors["transcript/s_1"]).toBe("busy");
    transcript.mockResolvedValue({ session: "s_1", revision: 2, more: false, items: [] });
    hydration.retry("transcript/s_1");
    await vi.advanceTimersByTimeAsync(1);
    expect(store.getState().pullErrors).toEqual({});
  });

  it("that is never answered is tried again", async () => {
    const transcript = vi.fn(() => new Promise<never>(() => {}));
    const { store, boot } = stand({ transcript });
    boot();
    await vi.advanceTimersByTimeAsync(answerWithin + 500);
    expect(transcript).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(answerWithin);
    expect(store.getState().pullErrors["transcript/s_1"]).toBe(words.link.noAnswer);
  });

  it("of a session that is not on screen is left alone", async () => {
    const { backend, boot, emit, flush } = stand();
    boot({ sessions: [session("s_1", { revision: 2, seq: 9 }), session("s_2", { revision: 2 })] });
    emit(2, { transcript: { session: "s_2", revision: 5 } });
    await flush();
    expect(backend.transcript.mock.calls.map((call) => call[0])).toEqual(["s_1"]);
  });
});

describe("an attachment", () => {
  it("is pulled when its catalog grew, not for another time", async () => {
    const { backend, boot, emit } = stand();
    boot({ attachments: [attachment(1)] });
    await vi.advanceTimersByTimeAsync(1000);
    emit(2, { attachment: attachment(1, 7) });
    await vi.advanceTimersByTimeAsync(1000);
    expect(backend.attachment).toHaveBeenCalledTimes(1);
    emit(3, { attachment: attachment(2, 7) });
    await vi.advanceTimersByTimeAsync(1000);
    expect(backend.attachment).toHaveBeenCalledTimes(2);
  });

  it("is pulled at once when a new list was served right after a pull", async () => {
    const { backend, boot, emit, flush } = stand();
    boot({ attachments: [attachment(1)] });
    await flush();
    emit(2, { attachment: attachment(2) });
    await flush();
    emit(3, { attachment: attachment(3) });
    await flush();
    expect(backend.attachment).toHaveBeenCalledTimes(3);
  });

  it("is pulled again for rows that its summary has no room for", async () => {
    const { backend, boot, emit } = stand();
    const summary = attachment(1);
    const own = summary.servers.map((row) => ({
      ...row,
      name: "own",
      source: "person",
      status: "delivered",
    }));
    boot({ attachments: [{ ...summary, servers: [...summary.servers, ...own] }] });
    await vi.advanceTimersByTimeAsync(1000);
    const failed = own.map((row) => ({ ...row, status: "failed" }));
    emit(2, { attachment: { ...summary, servers: [...summary.servers, ...failed] } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(backend.attachment).toHaveBeenCalledTimes(2);
  });

  it("is pulled when the explorer opens, and with its uses while it is open", async () => {
    const { backend, store, boot, emit } = stand();
    boot({ attachments: [attachment(1, 5)] });
    await vi.advanceTimersByTimeAsync(1000);
    store.setState({ explorer: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(backend.attachment).toHaveBeenCalledTimes(2);
    for (let n = 0; n < 20; n++) emit(2 + n, { attachment: attachment(1, 6 + n) });
    await vi.advanceTimersByTimeAsync(5000);
    expect(backend.attachment).toHaveBeenCalledTimes(4);
  });
});

it("pulls what a card in the window shows, and nothing that only stands in the conversation", async () => {
  const asked = (n: number) => ({ ...item(n, n), kind: "question", ref: `q_${n}` });
  const page = { session: "s_1", revision: 2, more: false, items: [asked(1), asked(2)] };
  const { backend, store, boot, flush } = stand({ transcript: vi.fn(async () => page) });
  boot();
  await flush();
  expect(store.getState().transcripts.s_1?.complete).toBe(true);
  expect(backend.question).not.toHaveBeenCalled();
  const hide = showCard(store, "question", "q_2");
  await flush();
  hide();
  expect(store.getState().cards).toEqual({});
  expect(backend.question.mock.calls).toEqual([["q_2"]]);
});

it("pulls a question that is open, and again when it ended", async () => {
  const { backend, boot, emit, flush } = stand();
  const q = { id: "q_1", session: "s_1", title: "", state: "open", revision: 1 };
  boot({ questions: [q] });
  await flush();
  emit(2, { question: { ...q, state: "answered", revision: 2 } });
  await flush();
  expect(backend.question).toHaveBeenCalledTimes(2);
});

describe("the plugins", () => {
  const page = (revision: number) => ({ revision, plugins: [], encrypted: false, place: "" });

  it("are pulled while something shows them, at most twice a second, and without a session", async () => {
    const plugins = vi.fn(async () => page(1));
    const { store, boot, emit, flush } = stand({ plugins });
    boot({ sessions: [], plugins_rev: 1 });
    await flush();
    expect(plugins).not.toHaveBeenCalled();
    store.setState({ page: "plugins" });
    await flush();
    expect(plugins).toHaveBeenCalledTimes(1);
    expect(store.getState().plugins).toEqual(page(1));
    for (let seq = 2; seq < 12; seq++) {
      emit(seq, { plugins: { revision: seq } });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(plugins).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(plugins).toHaveBeenCalledTimes(2);
    store.setState({ page: "session" });
    emit(12, { plugins: { revision: 12 } });
    await vi.advanceTimersByTimeAsync(2000);
    expect(plugins).toHaveBeenCalledTimes(2);
    store.setState({ page: "plugins" });
    await flush();
    expect(plugins).toHaveBeenCalledTimes(3);
  });
});
