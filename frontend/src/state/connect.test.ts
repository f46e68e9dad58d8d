import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend, EventSource } from "../backend/backend";
import type * as t from "../backend/types";
import { words } from "../words";
import { answerWithin, connect, holdFor } from "./connect";
import { event, session, snapshot } from "./sample";
import { newStore } from "./store";

// A backend whose snapshots a test answers by hand, in the order they were asked.
function stand() {
  const asked: { answer: (s: t.Snapshot) => void; fail: (e: Error) => void }[] = [];
  const source = { emit: (_: t.event.Event) => {} };
  const backend = {
    snapshot: () =>
      new Promise<t.Snapshot>((answer, fail) => {
        asked.push({ answer, fail });
      }),
  } as Backend;
  const events: EventSource = {
    subscribe(listener) {
      source.emit = listener;
      return () => {
        source.emit = () => {};
      };
    },
  };
  const store = newStore();
  const connection = connect(backend, events, store);
  const flush = () => vi.advanceTimersByTimeAsync(0);
  return { asked, source, store, connection, flush };
}

const rename = (n: number) => ({ session: session(`s_${n}`) });
const ids = (store: ReturnType<typeof newStore>) => Object.keys(store.getState().sessions);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function live() {
  const s = stand();
  s.asked[0]?.answer(snapshot(3));
  await s.flush();
  return s;
}

describe("boot", () => {
  it("applies what came while the snapshot was read, and drops what it already holds", async () => {
    const { asked, source, store, flush } = stand();
    source.emit(event(3, rename(3)));
    source.emit(event(4, rename(4)));
    source.emit(event(5, rename(5)));
    expect(store.getState().link).toBe("loading");
    asked[0]?.answer(snapshot(4, { sessions: [session("s_4")] }));
    await flush();
    expect(ids(store)).toEqual(["s_4", "s_5"]);
    expect(store.getState().seq).toBe(5);
  });

  it("is whole when every early event was lost", async () => {
    const { asked, source, store, flush } = stand();
    asked[0]?.answer(snapshot(40, { sessions: [session("s_1")] }));
    await flush();
    source.emit(event(41, rename(2)));
    expect(ids(store)).toEqual(["s_1", "s_2"]);
    expect(asked).toHaveLength(1);
  });
});

describe("gaps", () => {
  it("asks once for a dropped burst, after the hold", async () => {
    const { asked, source, store, flush } = await live();
    source.emit(event(7, rename(7)));
    source.emit(event(8, rename(8)));
    await vi.advanceTimersByTimeAsync(holdFor - 1);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(2);
    asked[1]?.answer(snapshot(7, { sessions: [session("s_7")] }));
    await flush();
    expect(ids(store)).toEqual(["s_7", "s_8"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
  });

  it("puts a reordered burst in order without asking", async () => {
    const { asked, source, store } = await live();
    for (const n of [6, 5, 8, 7, 4]) source.emit(event(n, rename(n)));
    expect(store.getState().seq).toBe(8);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(1);
  });

  it("takes a skip on purpose for what it is", async () => {
    const { asked, source, store } = await live();
    source.emit(event(9, rename(9), { prev: 3 }));
    expect(store.getState().seq).toBe(9);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(1);
  });

  it("drops a repeated event", async () => {
    const { source, store } = await live();
    source.emit(event(4, rename(4)));
    source.emit(event(4, { session_gone: "s_4" }));
    expect(ids(store)).toEqual(["s_4"]);
  });

  it("holds one snapshot at a time, however many gaps there are", async () => {
    const { asked, source, store, flush } = await live();
    source.emit(event(7, rename(7)));
    await vi.advanceTimersByTimeAsync(holdFor);
    source.emit(event(12, rename(12)));
    await vi.advanceTimersByTimeAsync(5 * holdFor);
    expect(asked).toHaveLength(2);
    asked[1]?.answer(snapshot(7));
    await flush();
    // 12 is still from the future: held, and asked for again.
    await vi.advanceTimersByTimeAsync(holdFor);
    expect(asked).toHaveLength(3);
    asked[2]?.answer(snapshot(12));
    await flush();
    expect(store.getState().seq).toBe(12);
  });
});

describe("another life of the app", () => {
  it("asks at once when the epoch changes", async () => {
    const { asked, source, store, flush } = await live();
    source.emit(event(1, rename(1), { epoch: "e2" }));
    expect(asked).toHaveLength(2);
    asked[1]?.answer(snapshot(0, { epoch: "e2" }));
    await flush();
    expect(store.getState()).toMatchObject({ epoch: "e2", seq: 1 });
    expect(ids(store)).toEqual(["s_1"]);
  });

  it("asks again when the snapshot was the old life's", async () => {
    const { asked, source, store, flush } = await live();
    source.emit(event(1, rename(1), { epoch: "e2" }));
    asked[1]?.answer(snapshot(3));
    await flush();
    await vi.advanceTimersByTimeAsync(holdFor);
    asked[2]?.answer(snapshot(1, { epoch: "e2" }));
    await flush();
    expect(store.getState()).toMatchObject({ epoch: "e2", seq: 1 });
  });
});

describe("retries", () => {
  it("waits 0.5, 1, 2, 4, 8, 10, 10 s, says so, and recovers", async () => {
    const { asked, store, flush } = stand();
    const waits = [500, 1000, 2000, 4000, 8000, 10_000, 10_000];
    for (const [n, wait] of waits.entries()) {
      asked[n]?.fail(new Error('{"code":"failed","message":"The app is busy."}'));
      await flush();
      expect(store.getState()).toMatchObject({ link: "reconnecting", linkError: "The app is busy." });
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(asked).toHaveLength(n + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(n + 2);
    }
    asked[waits.length]?.answer(snapshot(2));
    await flush();
    expect(store.getState()).toMatchObject({ link: "live", linkError: "", seq: 2 });
  });

  it("queues events while it waits and starts the waits anew after a success", async () => {
    const { asked, source, store, flush } = stand();
    asked[0]?.fail(new Error("no"));
    await flush();
    source.emit(event(6, rename(6)));
    await vi.advanceTimersByTimeAsync(500);
    asked[1]?.answer(snapshot(5));
    await flush();
    expect(ids(store)).toEqual(["s_6"]);
    source.emit(event(1, rename(1), { epoch: "e2" }));
    asked[2]?.fail(new Error("no"));
    await flush();
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toHaveLength(4);
  });
});

it("does not wait for ever for an answer, and takes none that comes too late", async () => {
  const { asked, store, flush } = stand();
  await vi.advanceTimersByTimeAsync(answerWithin - 1);
  expect(store.getState().link).toBe("loading");
  await vi.advanceTimersByTimeAsync(1);
  expect(store.getState()).toMatchObject({ link: "reconnecting", linkError: words.link.noAnswer });
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
  asked[0]?.answer(snapshot(9));
  await flush();
  expect(store.getState()).toMatchObject({ link: "reconnecting", seq: 0 });
  asked[1]?.answer(snapshot(3));
  await flush();
  expect(store.getState()).toMatchObject({ link: "live", seq: 3 });
  await vi.advanceTimersByTimeAsync(2 * answerWithin);
  expect(store.getState().link).toBe("live");
});

it("does nothing after it is closed", async () => {
  const { asked, source, store, connection, flush } = await live();
  source.emit(event(7, rename(7)));
  connection.close();
  source.emit(event(4, rename(4)));
  await vi.advanceTimersByTimeAsync(20_000);
  await flush();
  expect(asked).toHaveLength(1);
  expect(store.getState().seq).toBe(3);
});
