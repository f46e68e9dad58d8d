import { describe, expect, it } from "vitest";
import * as reduce from "./reduce";
import { event, item, project, session, snapshot } from "./sample";
import { emptyState, type State } from "./store";

function booted(change = {}): State {
  return reduce.applySnapshot(emptyState, snapshot(3, { sessions: [session("s_1")], ...change }));
}

describe("applySnapshot", () => {
  it("puts everything in place of what the stream had built", () => {
    const before = reduce.applyEvent(booted(), event(4, { session: session("s_9") }));
    const after = reduce.applySnapshot(before, snapshot(9, { sessions: [session("s_1")] }));
    expect(Object.keys(after.sessions)).toEqual(["s_1"]);
    expect(after).toMatchObject({ seq: 9, link: "live" });
  });

  it("opens the session of the first run, and only then", () => {
    const rows = { sessions: [session("s_1", { seq: 1 }), session("s_2", { seq: 2 })], first_run: "s_1" };
    const first = reduce.applySnapshot(emptyState, snapshot(1, rows));
    expect(first.session).toBe("s_1");
    expect(reduce.applySnapshot(reduce.open(first, "s_2"), snapshot(2, rows)).session).toBe("s_2");
  });

  it("keeps pulled content in the same epoch and pulls anew in another", () => {
    const page = { session: "s_1", revision: 5, more: false, items: [item(1, 5)] };
    const loaded = reduce.applyTranscript(booted(), page);
    const again = snapshot(7, { sessions: [session("s_1")] });
    expect(reduce.applySnapshot(loaded, again).transcripts.s_1?.items).toHaveLength(1);
    expect(reduce.applySnapshot(loaded, { ...again, epoch: "e2" }).transcripts).toEqual({});
  });

  it("keeps the window's own notices, which the app knows nothing of", () => {
    const own = { id: `${reduce.ownNotice}x`, kind: "error", text: "x" };
    const state = { ...booted(), notices: [{ ...own, id: "n_1" }, own] };
    expect(reduce.applySnapshot(state, snapshot(8)).notices).toEqual([own]);
  });

  it("leaves a session that is gone", () => {
    const state = reduce.open(booted(), "s_1");
    expect(reduce.applySnapshot(state, snapshot(8)).session).toBe("");
  });
});

describe("what a person typed", () => {
  const question = (id: string, state = "open") => ({ id, session: "s_1", title: "", state, revision: 1 });
  const typed = { q_1: { 1: { chosen: [], text: "half an answer" } } };

  it("stays while it can be sent, also through a new snapshot", () => {
    const state = {
      ...booted({ questions: [question("q_1")] }),
      answers: typed,
      drafts: { s_1: "a prompt" },
    };
    const again = snapshot(9, { sessions: [session("s_1")], questions: [question("q_1", "detached")] });
    const after = reduce.applyEvent(
      reduce.applySnapshot(state, again),
      event(10, { question: question("q_1", "detached") }),
    );
    expect(after.answers).toEqual(typed);
    expect(after.drafts).toEqual({ s_1: "a prompt" });
  });

  it("goes with what it was for", () => {
    const state = {
      ...booted({ questions: [question("q_1")] }),
      answers: typed,
      drafts: { s_1: "a prompt" },
    };
    const ended = reduce.applyEvent(state, event(4, { question: question("q_1", "expired") }));
    expect(ended.answers).toEqual({});
    const missed = reduce.applySnapshot(state, snapshot(9));
    expect([missed.answers, missed.drafts]).toEqual([{}, {}]);
    const gone = reduce.applyEvent(state, event(4, { session_gone: "s_1" }));
    expect([gone.answers, gone.drafts]).toEqual([{}, {}]);
  });
});

describe("applyEvent", () => {
  it("replaces a whole view", () => {
    const state = reduce.applyEvent(booted(), event(4, { session: session("s_1", { state: "working" }) }));
    expect(state.sessions.s_1?.state).toBe("working");
    expect(state.seq).toBe(4);
  });

  it("drops everything of a session that is gone, and goes to another", () => {
    let state = booted({ sessions: [session("s_1", { seq: 1 }), session("s_2", { seq: 2 })] });
    state = reduce.open(state, "s_1");
    state = reduce.applyTranscript(state, { session: "s_1", revision: 1, more: false, items: [item(1, 1)] });
    const q = { id: "q_1", session: "s_1", title: "", state: "open", revision: 1 };
    state = reduce.applyEvent(state, event(4, { question: q }));
    state = reduce.applyEvent(state, event(5, { session_gone: "s_1" }));
    expect(state.transcripts).toEqual({});
    expect(state.questions).toEqual({});
    expect(state.session).toBe("s_2");
  });

  it("raises a session's transcript revision, never lowers it", () => {
    let state = reduce.applyEvent(booted(), event(4, { transcript: { session: "s_1", revision: 7 } }));
    state = reduce.applyEvent(state, event(5, { transcript: { session: "s_1", revision: 6 } }));
    expect(state.sessions.s_1?.revision).toBe(7);
  });

  it("replaces a notice in its place and removes it", () => {
    const one = { id: "n_1", kind: "warning", text: "a" };
    let state = reduce.applyEvent(booted(), event(4, { notice: one }));
    state = reduce.applyEvent(state, event(5, { notice: { ...one, id: "n_2" } }));
    state = reduce.applyEvent(state, event(6, { notice: { ...one, text: "b" } }));
    expect(state.notices.map((n) => n.text)).toEqual(["b", "a"]);
    state = reduce.applyEvent(state, event(7, { notice_gone: "n_1" }));
    expect(state.notices.map((n) => n.id)).toEqual(["n_2"]);
  });

  it("counts a view that it does not know", () => {
    expect(reduce.applyEvent(booted(), event(4, {})).seq).toBe(4);
  });

  it("does not change the state it was given", () => {
    const state = Object.freeze(booted());
    expect(() => reduce.applyEvent(state, event(4, { project: project("p_2") }))).not.toThrow();
    expect(state.projects.p_2).toBeUndefined();
  });
});

describe("applyTranscript", () => {
  const page = (revision: number, ...items: ReturnType<typeof item>[]) => ({
    session: "s_1",
    revision,
    more: false,
    items,
  });

  it("adds by number and replaces an item by a newer revision of it", () => {
    let state = reduce.applyTranscript(booted(), page(3, item(1, 1, "a"), item(3, 3, "c")));
    state = reduce.applyTranscript(state, page(5, item(3, 5, "C"), item(2, 4, "b")));
    expect(state.transcripts.s_1?.items.map((i) => i.text)).toEqual(["a", "b", "C"]);
    state = reduce.applyTranscript(state, page(4, item(3, 3, "old")));
    expect(state.transcripts.s_1?.items.map((i) => i.text)).toEqual(["a", "b", "C"]);
    expect(state.transcripts.s_1?.revision).toBe(5);
  });

  it("knows when all pages were read", () => {
    const some = reduce.applyTranscript(booted(), { ...page(3, item(1, 3)), more: true });
    expect(some.transcripts.s_1?.complete).toBe(false);
    expect(reduce.applyTranscript(some, page(4)).transcripts.s_1?.complete).toBe(true);
  });

  it("ignores a session that is gone", () => {
    expect(reduce.applyTranscript(emptyState, page(3, item(1, 3))).transcripts).toEqual({});
  });

  it("holds 10,000 items that come in pages", () => {
    let state = booted();
    const start = performance.now();
    for (let from = 0; from < 10_000; from += 200) {
      const items = Array.from({ length: 200 }, (_, n) => item(from + n + 1, from + n + 1));
      state = reduce.applyTranscript(state, page(from + 200, ...items));
    }
    expect(state.transcripts.s_1?.items).toHaveLength(10_000);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("content of questions", () => {
  it("that ended during a gap is pulled again", () => {
    const q = { session: "s_1", questions: [], answers: [], asked_at: 0, deadline: 0, revision: 1 };
    let state = reduce.applyQuestion(booted(), { ...q, id: "open", state: "open" });
    state = reduce.applyQuestion(state, { ...q, id: "gone", state: "detached" });
    state = reduce.applyQuestion(state, { ...q, id: "done", state: "answered" });
    const row = { id: "open", session: "s_1", title: "", state: "open", revision: 1 };
    state = reduce.applySnapshot(state, snapshot(9, { sessions: [session("s_1")], questions: [row] }));
    expect(Object.keys(state.loadedQuestions)).toEqual(["open", "done"]);
  });

  it("never goes back to an older revision", () => {
    const q = { id: "q", session: "s_1", questions: [], answers: [], asked_at: 0, deadline: 0 };
    let state = reduce.applyQuestion(booted(), { ...q, state: "answered", revision: 2 });
    state = reduce.applyQuestion(state, { ...q, state: "open", revision: 1 });
    expect(state.loadedQuestions.q?.state).toBe("answered");
  });
});

describe("the quit question", () => {
  it("comes back with a snapshot and goes when it is withdrawn", () => {
    const asked = booted({ quit: { agents: ["Codex"] } });
    expect(asked.quit?.agents).toEqual(["Codex"]);
    expect(reduce.applyEvent(asked, event(4, { quit: { agents: [] } })).quit).toBeNull();
  });
});
