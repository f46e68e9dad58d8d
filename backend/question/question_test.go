package question

import (
	"errors"
	"testing"
	"time"
)

var at = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func bundle(s State) Bundle {
	return Bundle{State: s, Questions: []Question{
		{ID: "colour", Prompt: "Which?", Options: []Option{{Label: "red"}, {Label: "blue"}}},
		{ID: "many", Prompt: "Which ones?", Options: []Option{{Label: "a"}, {Label: "b"}}, Multiple: true},
		{ID: "free", Prompt: "Why?"},
	}}
}

func TestAnswer(t *testing.T) {
	whole := func(change ...Answer) []Answer { // the last answer to a question holds
		return append([]Answer{{Question: "free", Text: "so"}, {Question: "many", Chosen: []string{"b", "a"}}, {Question: "colour", Chosen: []string{"red"}}}, change...)
	}
	for _, c := range []struct {
		name    string
		answers []Answer
		ok      bool
	}{
		{"all", whole(), true},
		{"something else beside a choice", whole(Answer{Question: "colour", Chosen: []string{"red"}, Text: "and green"}), true},
		{"something else alone", whole(Answer{Question: "colour", Text: "green"}), true},
		{"none", nil, false},
		{"one is missing", whole()[1:], false},
		{"an empty one", whole(Answer{Question: "free"}), false},
		{"one of blanks alone", whole(Answer{Question: "free", Text: " \n\t\u00a0"}), false},
		{"two choices where one is asked for", whole(Answer{Question: "colour", Chosen: []string{"red", "blue"}}), false},
		{"a choice that was not offered", whole(Answer{Question: "many", Chosen: []string{"c"}}), false},
		{"a choice where none is offered", whole(Answer{Question: "free", Chosen: []string{"red"}}), false},
		{"an answer to nothing", whole(Answer{Question: "other", Text: "x"}), true},
	} {
		got, err := bundle(Open).Answer(c.answers, at)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrAnswer) || (got.State == Answered) != c.ok {
			t.Errorf("%s: %s (%v)", c.name, got.State, err)
		}
		if c.ok && (len(got.Answers) != 3 || got.Answers[0].Question != "colour" || !got.EndedAt.Equal(at)) {
			t.Errorf("%s: answers in the order of the questions: %+v", c.name, got)
		}
	}
}

// TestFirstEndWins: what has ended takes no answer and no other end.
func TestFirstEndWins(t *testing.T) {
	answers := []Answer{{Question: "colour", Chosen: []string{"red"}}, {Question: "many", Chosen: []string{"a"}}, {Question: "free", Text: "x"}}
	all := []State{Open, Detached, Answered, Rejected, Cancelled, Expired}
	for _, from := range all {
		if _, err := bundle(from).Answer(answers, at); (err == nil) != from.Answerable() || err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("an answer to one that is %s: %v", from, err)
		}
		for _, to := range all {
			got, changed := bundle(from).End(to, "r", at)
			want := from.Answerable() && to != from && to != Open && to != Answered
			if changed != want || (got.State == to) != (want || from == to) {
				t.Errorf("%s to %s: %s, changed %v", from, to, got.State, changed)
			}
			if changed && (got.EndedAt == nil) != (to == Detached) {
				t.Errorf("%s to %s: end %v", from, to, got.EndedAt)
			}
		}
	}
}
