package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/task"
	"kandev/backend/tool"
)

func call(t *testing.T, h Host, name, arguments string) (tool.Result, tool.Outcome) {
	t.Helper()
	set, refused := tool.NewSet(1, Tools(Profile{Provisional: true}, h)...)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	d, ok := set.Lookup(name + "_kandev")
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	r, report := set.Call(t.Context(), d, tool.Call{Arguments: json.RawMessage(arguments)}, tool.Limits{})
	return r, report.Outcome
}

func TestAskSaysHowItEnded(t *testing.T) {
	for state, want := range map[question.State]string{
		question.Answered:  `{"answers":[{"question":"q1","chosen":["a <b>"]}]}`,
		question.Rejected:  "The person rejected the question. Not now.",
		question.Expired:   "No answer came within two hours. Decide yourself or ask again later.",
		question.Cancelled: "The question was cancelled. Not now.",
	} {
		h := Host{Ask: func(_ context.Context, b question.Bundle, _ string, _ func(string)) (question.Bundle, error) {
			if b.Questions[0].ID != "q1" {
				t.Errorf("the question has the id %q", b.Questions[0].ID)
			}
			b.State, b.Reason = state, "Not now."
			b.Answers = []question.Answer{{Question: "q1", Chosen: []string{"a <b>"}}}
			return b, nil
		}}
		r, outcome := call(t, h, "ask_user_question", `{"questions":[{"prompt":"?","options":[{"label":"a <b>"},{"label":"c"}]}]}`)
		if r.Text != want || outcome != tool.OutcomeOK {
			t.Errorf("%s: %q (%s), want %q", state, r.Text, outcome, want)
		}
	}
}

func TestAskRefusesWhatCannotBeToldApart(t *testing.T) {
	for _, args := range []string{
		`{"questions":[{"id":"a","prompt":"?"},{"id":"a","prompt":"!"}]}`,
		`{"questions":[{"prompt":"?","options":[{"label":"a"},{"label":"a"}]}]}`,
	} {
		if r, _ := call(t, Host{}, "ask_user_question", args); !r.IsError || !strings.Contains(r.Text, "twice") && !strings.Contains(r.Text, "two questions") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	for _, args := range []string{`{}`, `{"questions":[]}`, `{"questions":[{"prompt":"?","options":[{"label":"a"}]}]}`, `{"questions":[{"prompt":""}]}`} {
		if _, outcome := call(t, Host{}, "ask_user_question", args); outcome != tool.OutcomeInvalid {
			t.Errorf("%s: %s", args, outcome)
		}
	}
}

// TestOnlyWhatWasChecked: a handler gets what the schema was held against, not
// what encoding/json makes of names in another case or of members that come twice.
func TestOnlyWhatWasChecked(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for _, args := range []string{
		`{"questions":[{"prompt":"ok","PROMPT":"` + long + `"}]}`,
		`{"questions":[{"prompt":"ok","options":[{"label":"a"},{"label":"b"}],"Options":[{"label":""}]}]}`,
		`{"questions":[{"prompt":"ok","option\u017f":[{"label":"only one"}]}]}`,
		`{"questions":[{"prompt":"` + long + `","options":[{"label":"one"}]}],"questions":[{"prompt":"ok"}]}`,
	} {
		var got question.Bundle
		h := Host{Ask: func(_ context.Context, b question.Bundle, _ string, _ func(string)) (question.Bundle, error) {
			got = b
			b.State = question.Rejected
			return b, nil
		}}
		if r, outcome := call(t, h, "ask_user_question", args); outcome != tool.OutcomeOK {
			t.Fatalf("%.60s: %s %s", args, outcome, r.Text)
		}
		q := got.Questions[0]
		if q.Prompt != "ok" || len(q.Options) != 0 && len(q.Options) != question.MinOptions {
			t.Errorf("%.60s: the handler got %.40q with %d options", args, q.Prompt, len(q.Options))
		}
	}
}

func TestResultsAreShort(t *testing.T) {
	own := task.Task{ID: "t_1", Title: "Own <title>", Step: task.Plan, Description: "D"}
	h := Host{
		SetTitle: func(context.Context, string) error { return nil },
		Tasks: func(_ context.Context, f Filter) (Page, error) {
			if f.Limit != 50 || f.Step != task.Plan {
				t.Errorf("%+v", f)
			}
			return Page{Tasks: []task.Task{own}, Cursor: "1"}, nil
		},
		Task: func(context.Context, task.ID) (Detail, error) {
			return Detail{Task: own, Sessions: []session.Session{{ID: "s_1", Agent: "codex", State: session.Ready}}}, nil
		},
		Create: func(_ context.Context, n NewTask) (task.Task, bool, error) { return task.Task{ID: "t_2"}, true, nil },
		Update: func(context.Context, Change) error { return nil },
	}
	for name, c := range map[string]struct{ args, want string }{
		"set_task_title": {`{"title":"x"}`, "The title is set."},
		"list_tasks":     {`{"step":"plan"}`, `{"tasks":[{"id":"t_1","title":"Own <title>","step":"plan"}],"cursor":"1"}`},
		"get_task":       {`{}`, `{"id":"t_1","title":"Own <title>","step":"plan","description":"D","sessions":[{"id":"s_1","agent":"codex","state":"ready"}]}`},
		"create_task":    {`{"title":"x","parent":"self"}`, `{"id":"t_2","created":true}`},
		"update_task":    {`{"title":"x"}`, "The task is updated."},
	} {
		if r, outcome := call(t, h, name, c.args); r.Text != c.want || outcome != tool.OutcomeOK {
			t.Errorf("%s: %q (%s), want %q", name, r.Text, outcome, c.want)
		}
	}
}

// TestErrors: what the model can correct is said; our own faults are not.
func TestErrors(t *testing.T) {
	h := Host{
		SetTitle: func(context.Context, string) error { return task.ErrTitleKept },
		Tasks:    func(context.Context, Filter) (Page, error) { return Page{}, errors.New("SECRET database gone") },
		Task:     func(context.Context, task.ID) (Detail, error) { return Detail{}, task.ErrNotFound },
		Update:   func(context.Context, Change) error { return ErrReach },
	}
	for name, args := range map[string]string{"set_task_title": `{"title":"x"}`, "get_task": `{"task_id":"t_9"}`, "update_task": `{"title":"x"}`} {
		if r, outcome := call(t, h, name, args); !r.IsError || outcome != tool.OutcomeToolError || !strings.HasSuffix(r.Text, ".") {
			t.Errorf("%s: %+v (%s)", name, r, outcome)
		}
	}
	if r, outcome := call(t, h, "list_tasks", `{}`); outcome != tool.OutcomeFault || strings.Contains(r.Text, "SECRET") {
		t.Errorf("%+v (%s)", r, outcome)
	}
}
