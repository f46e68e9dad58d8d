package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kandev/backend/question"
	"kandev/backend/tool"
)

const askSchema = `{"type":"object","properties":{` +
	`"questions":{"type":"array","minItems":1,"maxItems":4,"items":{"type":"object","properties":{` +
	`"id":{"type":"string","maxLength":64,"description":"Your own name for this question; the answer carries it."},` +
	`"title":{"type":"string","maxLength":80,"description":"A heading of a few words."},` +
	`"prompt":{"type":"string","minLength":1,"maxLength":2000,"description":"The question itself."},` +
	`"options":{"type":"array","minItems":2,"maxItems":6,"items":{"type":"object","properties":{` +
	`"label":{"type":"string","minLength":1,"maxLength":200},` +
	`"description":{"type":"string","maxLength":500,"description":"What choosing it means."}},` +
	`"required":["label"]},"description":"Choices. Leave out for a free text answer."},` +
	`"multiple":{"type":"boolean","description":"True when more than one choice may be taken."}},` +
	`"required":["prompt"]}},` +
	`"context":{"type":"string","maxLength":4000,"description":"What the person needs to know to decide."}},` +
	`"required":["questions"]}`

type askArguments struct {
	Questions []question.Question `json:"questions"`
	Context   string              `json:"context"`
}

// The question's own deadline ends the wait; the call's limit lies behind it.
func askUserQuestion(h Host) tool.Definition {
	return tool.Definition{
		Name: "ask_user_question_kandev", Title: "Ask the person", InputSchema: json.RawMessage(askSchema),
		Annotations: hints(true, false), Meta: json.RawMessage(alwaysLoad), Limit: question.Wait + time.Minute, Waits: true,
		Handler: handle(func(ctx context.Context, a askArguments, c tool.Call) (string, error) {
			b, err := bundle(a)
			if err != nil {
				return "", err
			}
			b, err = h.Ask(ctx, b, c.CallID, c.Progress)
			if err != nil {
				return "", err
			}
			return outcome(b)
		}),
	}
}

// bundle gives each question an id; two questions or two options of one name
// could not be told apart in the answer.
func bundle(a askArguments) (question.Bundle, error) {
	seen := map[string]bool{}
	for i := range a.Questions {
		q := &a.Questions[i]
		if q.ID == "" {
			q.ID = fmt.Sprintf("q%d", i+1)
		}
		if seen[q.ID] {
			return question.Bundle{}, fmt.Errorf("%w: two questions have the id %q", question.ErrAsked, q.ID)
		}
		seen[q.ID] = true
		labels := map[string]bool{}
		for _, o := range q.Options {
			if labels[o.Label] {
				return question.Bundle{}, fmt.Errorf("%w: question %q offers %q twice", question.ErrAsked, q.ID, o.Label)
			}
			labels[o.Label] = true
		}
	}
	return question.Bundle{Context: a.Context, Questions: a.Questions}, nil
}

// outcome says how the bundle ended, in a form a model can read.
func outcome(b question.Bundle) (string, error) {
	switch b.State {
	case question.Answered:
		return asJSON(map[string]any{"answers": b.Answers})
	case question.Rejected:
		return strings.TrimSpace("The person rejected the question. " + b.Reason), nil
	case question.Expired:
		return "No answer came within two hours. Decide yourself or ask again later.", nil
	}
	return strings.TrimSpace("The question was cancelled. " + b.Reason), nil
}
