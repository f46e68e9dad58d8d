package builtin

import (
	"context"
	"encoding/json"
	"errors"

	"kandev/backend/task"
	"kandev/backend/tool"
)

// ErrCursor is what Host.Tasks returns for a cursor it did not make; the model
// can start at the first page again.
var ErrCursor = errors.New("the cursor is not one of a page before; leave it out to start at the first page")

const listSchema = `{"type":"object","properties":{` +
	`"step":{"type":"string","enum":["backlog","plan","build","review","done"],"description":"Only tasks in this step."},` +
	`"limit":{"type":"integer","minimum":1,"maximum":200,"default":50},` +
	`"cursor":{"type":"string","description":"From the result before, for the next page."}}}`

type listArguments struct {
	Step   string `json:"step"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

type listedTask struct {
	ID     task.ID   `json:"id"`
	Title  string    `json:"title"`
	Step   task.Step `json:"step"`
	Parent task.ID   `json:"parent,omitempty"`
}

func listTasks(h Host) tool.Definition {
	return tool.Definition{
		Name: "list_tasks_kandev", Title: "List tasks", InputSchema: json.RawMessage(listSchema),
		Annotations: hints(true, true),
		Handler: handle(func(ctx context.Context, a listArguments, _ tool.Call) (string, error) {
			if a.Limit == 0 {
				a.Limit = 50
			}
			page, err := h.Tasks(ctx, Filter{Step: task.Step(a.Step), Limit: a.Limit, Cursor: a.Cursor})
			if err != nil {
				return "", err
			}
			out := struct {
				Tasks  []listedTask `json:"tasks"`
				Cursor *string      `json:"cursor"`
			}{Tasks: []listedTask{}}
			for _, t := range page.Tasks {
				out.Tasks = append(out.Tasks, listedTask{t.ID, t.Title, t.Step, t.Parent})
			}
			if page.Cursor != "" {
				out.Cursor = &page.Cursor
			}
			return asJSON(out)
		}),
	}
}
