package app

import (
	"context"

	"kandev/backend"
	"kandev/backend/session"
)

// AskValues says whether values of the person's servers are asked for at each
// start. Switching it on forgets those that are stored.
func (a *API) AskValues(token string, on bool) error {
	return a.do(token, "AskValues", func(ctx context.Context) error { return a.w.backend.AskValues(ctx, on) })
}

// ValuesAsked lists what a session's start waits for.
func (a *API) ValuesAsked(token, id string) ([]AskedServer, error) {
	return enter(a.w.door, token, "ValuesAsked", func() ([]AskedServer, error) {
		asked, err := a.w.backend.ValuesAsked(session.ID(id))
		return askedViews(asked), err
	})
}

// GiveValues lets a start go on; servers that lack a value are withheld.
func (a *API) GiveValues(token, id string, typed []TypedValue) error {
	return a.do(token, "GiveValues", func(context.Context) error { return a.w.backend.GiveValues(session.ID(id), typedValues(typed)) })
}

func askedViews(asked []backend.AskedServer) []AskedServer {
	out := []AskedServer{}
	for _, s := range asked {
		out = append(out, AskedServer(s))
	}
	return out
}

func typedValues(typed []TypedValue) []backend.TypedValue {
	out := []backend.TypedValue{}
	for _, v := range typed {
		out = append(out, backend.TypedValue(v))
	}
	return out
}
