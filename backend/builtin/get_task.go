package builtin

import (
	"context"
	"encoding/json"

	"kandev/backend/session"
	"kandev/backend/task"
	"kandev/backend/tool"
)

const getSchema = `{"type":"object","properties":{` +
	`"task_id":{"type":"string","minLength":1,"description":"Default: this session's own task."}}}`

type gotTask struct {
	ID          task.ID      `json:"id"`
	Title       string       `json:"title"`
	Step        task.Step    `json:"step"`
	Parent      task.ID      `json:"parent,omitempty"`
	Description string       `json:"description"`
	Archived    bool         `json:"archived,omitempty"`
	Sessions    []gotSession `json:"sessions"`
}

type gotSession struct {
	ID    session.ID    `json:"id"`
	Agent string        `json:"agent"`
	State session.State `json:"state"`
}

func getTask(h Host) tool.Definition {
	return tool.Definition{
		Name: "get_task_kandev", Title: "Read a task", InputSchema: json.RawMessage(getSchema),
		Annotations: hints(true, true),
		Handler: handle(func(ctx context.Context, a struct {
			Task task.ID `json:"task_id"`
		}, _ tool.Call,
		) (string, error) {
			d, err := h.Task(ctx, a.Task)
			if err != nil {
				return "", err
			}
			t := d.Task
			out := gotTask{t.ID, t.Title, t.Step, t.Parent, t.Description, t.Archived, []gotSession{}}
			for _, s := range d.Sessions {
				out.Sessions = append(out.Sessions, gotSession{s.ID, s.Agent, s.State})
			}
			return asJSON(out)
		}),
	}
}
