import { now } from "./fake-data";
import type * as t from "./types";

// Conversations of the fake backend: one item of every kind.

const at = (minutes: number) => now - minutes * 60_000;

const before =
  '\tresp, err := d.post(ctx, e)\n\tif err != nil || resp.StatusCode >= 300 {\n\t\treturn fmt.Errorf("deliver %s: %w", e.ID, err)\n\t}\n';
const after =
  '\tresp, err := d.post(ctx, e)\n\tswitch {\n\tcase err != nil:\n\t\treturn retryable{fmt.Errorf("deliver %s: %w", e.ID, err)}\n\tcase resp.StatusCode >= 500:\n\t\treturn retryable{fmt.Errorf("deliver %s: status %d", e.ID, resp.StatusCode)}\n\t}\n';

export const answerText = `Deliveries now retry, and order per endpoint is kept: a later event waits while an earlier one is between tries.

- Network errors and \`5xx\` answers retry. Anything else fails at once, as before.
- The delay doubles from 1 s to 5 min with full jitter, so endpoints that fail together do not come back together.

\`\`\`go
func (b Backoff) Delay(n int) time.Duration {
	d := min(b.Base<<n, b.Max) // 1 s, 2 s, 4 s … 5 min
	return time.Duration(rand.Int64N(int64(d)) + 1)
}
\`\`\`

| answer | what happens |
|---|---|
| 503 | tried again |
| 404 | fails at once |

See [the notes](https://example.com/retry) and <b>not</b> [this](javascript:alert(1)). The queue holds one cursor per endpoint; \`TestRetryKeepsOrder\` now covers a 503 in the middle of a batch.`;

const tool = (call: Partial<t.ToolCall> & { title: string }): t.ToolCall => ({
  call_id: `c_${call.title}`,
  status: "completed",
  started: at(4),
  finished: at(4) + 2900,
  ...call,
});

type Draft = Omit<t.Item, "number" | "revision" | "at" | "updated_at">;

const talk: Draft[] = [
  {
    kind: "preamble",
    text: "You run inside Kandev. The person sees your tool calls.\nAsk with ask_user_question when a decision is theirs.",
  },
  {
    kind: "prompt",
    text: "Deliveries to a webhook fail for good when the endpoint answers 503. Retry them with backoff, at most eight tries, and keep the order per endpoint. Start from internal/webhook/deliver.go and docs/webhooks.md.",
  },
  { kind: "thought", text: "The delivery loop has **no** state per endpoint. I need one." },
  {
    kind: "tool",
    tool: tool({
      title: "internal/webhook/deliver.go",
      kind: "read",
      paths: ["internal/webhook/deliver.go"],
      output: "142 lines",
    }),
  },
  {
    kind: "tool",
    tool: tool({
      title: "Edit deliver.go",
      kind: "edit",
      paths: ["internal/webhook/deliver.go"],
      diffs: [{ path: "internal/webhook/deliver.go", old: before, new: after }],
    }),
  },
  {
    kind: "tool",
    tool: tool({
      title: "go test ./internal/webhook/ -run Retry -count=1",
      kind: "execute",
      status: "failed",
      output: "--- FAIL: TestRetryKeepsOrder\nFAIL\texit status 1",
    }),
  },
  {
    kind: "tool",
    tool: tool({
      title: "go test ./internal/webhook/ -run Retry -count=1",
      kind: "execute",
      terminals: [
        {
          id: "term_1",
          command: "go test ./internal/webhook/ -run Retry -count=1",
          output: "\x1b[32mok\x1b[0m  \tledger/internal/webhook\t0.219s\n",
          ended: true,
          code: 0,
        },
      ],
    }),
  },
  {
    kind: "tool",
    tool: tool({
      title: "list_tasks_kandev",
      name: "list_tasks_kandev",
      kind: "other",
      input: '{"limit":10}',
      output: '{"tasks":[{"id":"t_01","title":"Look around"}],"cursor":null}',
      finished: at(4) + 38,
    }),
  },
  {
    kind: "plan",
    plan: [
      { content: "Find where deliveries fail", status: "completed" },
      { content: "Retry with backoff", status: "in_progress", priority: "high" },
      { content: "Update the docs", status: "pending" },
    ],
  },
  { kind: "notice", text: "The agent could not load the earlier conversation. It started without it." },
  { kind: "unknown", raw: '{"sessionUpdate":"available_commands_update","availableCommands":[]}' },
  { kind: "message", text: answerText },
];

const asked: Draft[] = [
  ...talk,
  { kind: "question", ref: "q_1" },
  { kind: "permission", ref: "a_1" },
  { kind: "question", ref: "q_2" },
  { kind: "permission", ref: "a_2" },
  {
    kind: "tool",
    tool: tool({
      title: "git push -u origin kd/retry-webhooks",
      kind: "execute",
      status: "pending",
      finished: undefined,
    }),
  },
];

const numbered = (drafts: Draft[]): t.Item[] =>
  drafts.map((draft, n) => ({
    ...draft,
    number: n + 1,
    revision: n + 1,
    at: at(20 - n * 0.5),
    updated_at: at(19.8 - n * 0.5),
  }));

export function itemsOf(session: string, long: boolean): t.Item[] {
  if (session === "s_look" || session === "s_bench" || session === "s_open" || session === "s_claude")
    return [];
  if (session === "s_gemini") return numbered(asked);
  if (session === "s_auggie") return numbered(talk.slice(1, 2));
  if (!long) return numbered(talk);
  return numbered(Array.from({ length: 10_000 }, (_, n) => talk[n % talk.length] ?? { kind: "notice" }));
}

export const questions: t.Question[] = [
  {
    id: "q_1",
    session: "s_gemini",
    context:
      "Deliveries now retry, and one endpoint keeps its order. Two rules are yours before I write the migration.",
    questions: [
      {
        id: "1",
        prompt: "What happens after the eighth try?",
        multiple: false,
        options: [
          { label: "Park the endpoint", description: "Later events wait until someone resumes it" },
          {
            label: "Move to a dead-letter table",
            description: "Go on, and keep the event for a manual replay",
          },
          { label: "Drop the event", description: "Log it and go on with the next one" },
        ],
      },
      {
        id: "2",
        prompt: "Which other answers are temporary?",
        multiple: true,
        options: [
          { label: "429 Too many requests", description: "Obey Retry-After up to 15 minutes" },
          { label: "408 Request timeout", description: "Counts as a try" },
          { label: "425 Too early", description: "One retry, at once" },
        ],
      },
      { id: "3", prompt: "What should the column be called?", multiple: false, options: [] },
    ],
    state: "open",
    answers: [],
    revision: 1,
    asked_at: at(3),
    deadline: at(-117),
  },
  {
    id: "q_2",
    session: "s_gemini",
    questions: [
      {
        id: "1",
        prompt: "Keep the old table?",
        multiple: false,
        options: [{ label: "Yes" }, { label: "No" }],
      },
    ],
    state: "answered",
    answers: [{ question: "1", chosen: ["No"] }],
    revision: 2,
    asked_at: at(9),
    deadline: at(-110),
    ended_at: at(8),
  },
];

export const permissions: t.Permission[] = [
  {
    id: "a_1",
    session: "s_gemini",
    call_id: "c_1",
    title: "git push -u origin kd/retry-webhooks",
    kind: "execute",
    input: '{"command":"git push -u origin kd/retry-webhooks"}',
    state: "open",
    by_rule: false,
    revision: 1,
    asked_at: at(2),
    options: [
      { id: "once", name: "Allow once", kind: "allow_once" },
      { id: "always", name: "Allow git push in this session", kind: "allow_always" },
      { id: "no", name: "Reject", kind: "reject_once" },
    ],
  },
  {
    id: "a_2",
    session: "s_gemini",
    call_id: "c_2",
    title: "rm -rf build",
    kind: "execute",
    state: "cancelled",
    reason: "The turn was cancelled.",
    by_rule: false,
    revision: 2,
    asked_at: at(7),
    ended_at: at(6),
    options: [],
  },
];
