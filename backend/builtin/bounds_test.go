package builtin

import (
	"encoding/json"
	"slices"
	"testing"

	"kandev/backend/question"
	"kandev/backend/task"
)

// TestSchemasSayTheNounsBounds: what a schema promises the model is what the
// noun holds.
func TestSchemasSayTheNounsBounds(t *testing.T) {
	type array struct {
		MinItems, MaxItems int
		Items              struct {
			Properties map[string]struct{ MinItems, MaxItems int }
		}
	}
	var ask struct{ Properties struct{ Questions array } }
	if err := json.Unmarshal([]byte(askSchema), &ask); err != nil {
		t.Fatal(err)
	}
	q := ask.Properties.Questions
	if o := q.Items.Properties["options"]; q.MinItems != 1 || q.MaxItems != question.MaxQuestions || o.MinItems != question.MinOptions || o.MaxItems != question.MaxOptions {
		t.Errorf("questions %d to %d, options %d to %d", q.MinItems, q.MaxItems, o.MinItems, o.MaxItems)
	}
	var list struct {
		Properties struct{ Step struct{ Enum []task.Step } }
	}
	if err := json.Unmarshal([]byte(listSchema), &list); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(list.Properties.Step.Enum, task.Steps) {
		t.Errorf("steps %v", list.Properties.Step.Enum)
	}
}
