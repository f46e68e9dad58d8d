package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kandev/backend/permission"
)

// TestAnswerTooLarge: an answer that no frame can hold is an error to the agent,
// not a silence in which it waits for ever. A line separator takes six bytes in
// JSON, and three in the file.
func TestAnswerTooLarge(t *testing.T) {
	huge := strings.Repeat("\u2028", MaxFrame/6+1)
	_, p := connect(t, Options{
		ReadFile: func(_ context.Context, r ReadFile) (string, error) {
			if r.Path == "error" {
				return "", &FileError{Sentence: huge}
			}
			return huge, nil
		},
	})
	for _, path := range []string{"file", "error"} {
		p.send(`{"jsonrpc":"2.0","id":5,"method":"fs/read_text_file","params":{"path":"` + path + `"}}`)
		p.expect(`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"the answer is larger than 64 MiB"}}`)
	}
}

// TestLongIDs: ids that are compared only are kept as their hash when they are
// long: the same stays the same, and another stays another.
func TestLongIDs(t *testing.T) {
	long := strings.Repeat("i", maxID+1)
	id := func(value string) string {
		b, _ := json.Marshal(map[string]string{"toolCallId": value, "messageId": value})
		return parseObject(b).id("toolCallId")
	}
	if got := id(long[1:]); got != long[1:] {
		t.Errorf("%d bytes became %q", maxID, got)
	}
	if a, b, c := id(long), id(long), id(long+"x"); a != b || a == c || len(a) > 100 {
		t.Errorf("%.100q %.100q %.100q", a, b, c)
	}
}

// TestManyOptions: a request's options and an agent's ways to log in are
// bounded in number and size. An option's id goes back as it came, so one that
// is too long is not offered.
func TestManyOptions(t *testing.T) {
	long := strings.Repeat("é", maxID)
	options := []string{fmt.Sprintf(`{"optionId":%q,"name":"no"}`, long), fmt.Sprintf(`{"optionId":"a","name":%q,"kind":%q}`, long, long)}
	methods := []string{fmt.Sprintf(`{"id":%q}`, long), fmt.Sprintf(`{"id":"a","name":%q,"description":%q,"type":%q}`, long, long, long)}
	var words []string
	for n := range 1000 {
		options = append(options, fmt.Sprintf(`{"optionId":"o%d","name":"x"}`, n))
		methods = append(methods, fmt.Sprintf(`{"id":"m%d"}`, n))
		words = append(words, `"w"`, fmt.Sprintf("%q", long))
	}
	methods[2] = `{"id":"words","type":"terminal","args":[` + strings.Join(words, ",") + `],"vars":[` + strings.ReplaceAll(strings.Join(words, ","), `"w"`, `{"name":"W"}`) + `]}`
	asked := make(chan PermissionRequest, 1)
	c, p := connect(t, Options{Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
		asked <- r
		return PermissionOutcome{"a"}, nil
	}})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"options":[` + strings.Join(options, ",") + `]}}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"a"}}}`)
	r := wait(t, "the request", asked)
	if len(r.Options) != maxChoices || r.Options[0].ID != "a" || len(r.Options[0].Name) > maxID || len(r.Options[0].Kind) > maxID || r.Options[1] != (permission.Option{ID: "o0", Name: "x"}) {
		t.Errorf("%d options, the first %.100v", len(r.Options), r.Options[0])
	}
	ch := async(func() (Initialized, error) { return c.Initialize(t.Context(), kandev) })
	p.line()
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"authMethods":[` + strings.Join(methods, ",") + `]}}`)
	in := wait(t, "initialize", ch)
	if in.err != nil || len(in.value.AuthMethods) != maxChoices {
		t.Fatalf("%v, %d methods", in.err, len(in.value.AuthMethods))
	}
	if m := in.value.AuthMethods[0]; m.ID != "a" || len(m.Name)+len(m.Description)+len(m.Type) > 3*maxID {
		t.Errorf("%.100v", m)
	}
	// A command that lacks a word is another command: none is better.
	if m := in.value.AuthMethods[1]; m.ID != "words" || m.Args != nil || m.Type != "unknown" || len(m.Vars) > maxChoices {
		t.Errorf("%s: %d words, %d variables, %s", m.ID, len(m.Args), len(m.Vars), m.Type)
	}
}
