package builtin

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kandev/backend/catalog"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/task"
	"kandev/backend/tool"
)

//go:embed *.md
var texts embed.FS

// Profile says which tools a session is served.
type Profile struct {
	Provisional bool // set_task_title is served
}

// alwaysLoad asks clients that defer tools to load this one up front
// (measured with Claude Code; see spec/agents.md, "Injection").
const alwaysLoad = `{"anthropic/alwaysLoad":true}`

// Tools returns the definitions of a profile, bound to a session's host.
func Tools(p Profile, h Host) []tool.Definition {
	defs := []tool.Definition{askUserQuestion(h), listTasks(h), getTask(h), createTask(h), updateTask(h)}
	if p.Provisional {
		defs = append(defs, setTaskTitle(h))
	}
	for i := range defs {
		defs[i].Source = catalog.Source{Kind: catalog.KindBuiltin}
		defs[i].Description = text(strings.TrimSuffix(defs[i].Name, "_kandev"))
	}
	return defs
}

// text reads a description; a missing one is caught by the snapshot test.
func text(name string) string {
	b, err := texts.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// hints sets MCP's hints on purpose: a reader never changes anything, nothing
// here destroys, and none reaches beyond this machine.
func hints(readOnly, idempotent bool) tool.Annotations {
	no := false
	return tool.Annotations{ReadOnly: &readOnly, Destructive: &no, Idempotent: &idempotent, OpenWorld: &no}
}

// handle decodes checked arguments and turns what the model can correct into a
// tool error.
func handle[A any](do func(ctx context.Context, args A, c tool.Call) (string, error)) tool.Handler {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		var args A
		exact, err := exactly(c.Arguments)
		if err == nil {
			err = json.Unmarshal(exact, &args)
		}
		if err != nil {
			return tool.Result{}, fmt.Errorf("%s: decode checked arguments: %w", c.Name, err)
		}
		out, err := do(ctx, args, c)
		switch {
		case err == nil:
			return tool.Text(out), nil
		case actionable(err):
			return tool.Fail(upper(err.Error()) + "."), nil
		}
		return tool.Result{}, err
	}
}

func actionable(err error) bool {
	for _, known := range []error{
		ErrReach, ErrCursor, task.ErrNotFound, task.ErrTitle, task.ErrTitleKept, task.ErrDescription,
		session.ErrNotFound, project.ErrNotFound, question.ErrAsked,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// asJSON writes a compact result without escaping < > &.
func asJSON(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("encode a tool result: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}
