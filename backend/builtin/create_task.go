package builtin

import (
	"context"
	"encoding/json"

	"kandev/backend/task"
	"kandev/backend/tool"
)

const createSchema = `{"type":"object","properties":{` +
	`"title":{"type":"string","minLength":1,"maxLength":200,"description":"One line: what will be different when it is done."},` +
	`"prompt":{"type":"string","maxLength":65536,"description":"What an agent needs to know to do it; becomes the description."},` +
	`"parent":{"type":"string","minLength":1,"description":"Id of the task above it, or self for this session's task. Left out: a root task."},` +
	`"external_id":{"type":"string","minLength":1,"maxLength":200,"description":"Idempotency key: the same key again returns the task made first."}},` +
	`"required":["title"]}`

type createArguments struct {
	Title      string  `json:"title"`
	Prompt     string  `json:"prompt"`
	Parent     task.ID `json:"parent"`
	ExternalID string  `json:"external_id"`
}

func createTask(h Host) tool.Definition {
	return tool.Definition{
		Name: "create_task_kandev", Title: "Create a task", InputSchema: json.RawMessage(createSchema),
		Annotations: hints(false, false),
		Handler: handle(func(ctx context.Context, a createArguments, _ tool.Call) (string, error) {
			t, made, err := h.Create(ctx, NewTask{Title: a.Title, Prompt: a.Prompt, Parent: a.Parent, ExternalID: a.ExternalID})
			if err != nil {
				return "", err
			}
			return asJSON(struct {
				ID      task.ID `json:"id"`
				Created bool    `json:"created"`
			}{t.ID, made})
		}),
	}
}
