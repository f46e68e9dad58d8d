package builtin

import (
	"context"
	"encoding/json"

	"kandev/backend/task"
	"kandev/backend/tool"
)

const updateSchema = `{"type":"object","properties":{` +
	`"task_id":{"type":"string","minLength":1,"description":"Default: this session's own task."},` +
	`"title":{"type":"string","minLength":1,"maxLength":200},` +
	`"description":{"type":"string","maxLength":65536,"description":"Replaces the whole description."}}}`

type updateArguments struct {
	Task        task.ID `json:"task_id"`
	Title       *string `json:"title"`
	Description *string `json:"description"`
}

func updateTask(h Host) tool.Definition {
	return tool.Definition{
		Name: "update_task_kandev", Title: "Change a task", InputSchema: json.RawMessage(updateSchema),
		Annotations: hints(false, true),
		Handler: handle(func(ctx context.Context, a updateArguments, _ tool.Call) (string, error) {
			if a.Title == nil && a.Description == nil {
				return "Nothing to change: give title, description or both.", nil
			}
			if err := h.Update(ctx, Change(a)); err != nil {
				return "", err
			}
			return "The task is updated.", nil
		}),
	}
}
