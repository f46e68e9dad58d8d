package builtin

import (
	"context"
	"encoding/json"

	"kandev/backend/tool"
)

const setTitleSchema = `{"type":"object","properties":{` +
	`"title":{"type":"string","minLength":1,"maxLength":200,"description":"One line, at best under 60 characters."}},` +
	`"required":["title"]}`

func setTaskTitle(h Host) tool.Definition {
	return tool.Definition{
		Name: "set_task_title_kandev", Title: "Name the task", InputSchema: json.RawMessage(setTitleSchema),
		Annotations: hints(false, true),
		Handler: handle(func(ctx context.Context, a struct {
			Title string `json:"title"`
		}, _ tool.Call,
		) (string, error) {
			if err := h.SetTitle(ctx, a.Title); err != nil {
				return "", err
			}
			return "The title is set.", nil
		}),
	}
}
