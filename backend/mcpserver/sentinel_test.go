package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// spec/attachment.md, "What may be where": none of these is in any evidence or
// in any line of the log.
func TestSentinels(t *testing.T) {
	const (
		argument   = "SENTINEL-argument"
		result     = "SENTINEL-result"
		structured = "SENTINEL-structured"
		output     = "SENTINEL-output"
		annotation = "SENTINEL-annotation" // of the title that annotations would hold
		metaValue  = "SENTINEL-meta"
		progress   = "SENTINEL-progress"
		requestID  = "SENTINEL-id"
		unknown    = "SENTINEL-unknown"
		fault      = "SENTINEL-fault"
	)
	yes := true
	full := tool.Definition{
		Name: "full_kandev", Source: builtinSource, Title: annotation, Annotations: tool.Annotations{ReadOnly: &yes},
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"s":{"type":"string"}},"description":"` + output + `"}`),
		Meta:         json.RawMessage(`{"x/y":"` + metaValue + `"}`),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			c.Progress(progress)
			return tool.Result{Text: result, Structured: json.RawMessage(`{"s":"` + structured + `"}`)}, nil
		},
	}
	broken := with("broken_kandev", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, errors.New(fault) })
	panics := with("panics_kandev", func(context.Context, tool.Call) (tool.Result, error) { panic(fault) })
	r := setup(t, set(t, full, broken, panics), func(o *Options, _ *limits) {
		o.Estimate, o.Count = func(b []byte) (int, error) { return len(b), nil }, func(s string) int { return len(s) }
	}).init()
	bearer := r.e.Bearer()

	_, list, _ := r.send("POST", listTools)
	if !containsAll(list, output, metaValue, annotation, `"readOnlyHint":true`) {
		t.Fatalf("not served: %s", list)
	}
	answers := []string{}
	for _, message := range []string{
		callMessage(`"`+requestID+`"`, "full_kandev", `{"a":"`+argument+`"}`, `{"progressToken":"`+progress+`","callId":"`+requestID+`"}`),
		callMessage("2", "full_kandev", `{"a":["`+argument+`"]}`, ""),
		callMessage("3", "full_kandev", `{"`+argument+`":1}`, ""),
		callMessage("4", unknown, `{"a":"`+argument+`"}`, ""),
		callMessage("5", "broken_kandev", `{}`, ""),
		callMessage("6", "panics_kandev", `{}`, ""),
		`{"jsonrpc":"2.0","id":7,"method":"` + unknown + `","params":{"a":"` + argument + `"}}`,
		`{"jsonrpc":"2.0","id":8,"method":"initialize","params":["` + argument + `"]}`,
		`{"` + argument + `"`,
	} {
		_, body, _ := r.send("POST", message)
		answers = append(answers, body)
	}
	if !containsAll(answers[0], result, structured, progress) || strings.Contains(answers[1], argument) {
		t.Fatalf("answers %q", answers)
	}
	r.send("POST", listTools, "URL", "/mcp/attempt-1/"+bearer, "Authorization", "-")
	r.send("GET", "", "Host", unknown)
	r.send("DELETE", "")
	r.rec.await(t, attach.ConnectionClosed, 1)
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	all, _ := r.rec.snapshot()
	evidence := fmt.Sprintf("%+v", all)
	for _, e := range all {
		evidence += fmt.Sprintf("%+v %+v", e.Catalog, e.Counts)
	}
	logs := r.logs.String()
	if !strings.Contains(evidence, "full_kandev") || !strings.Contains(logs, "full_kandev") {
		t.Fatal("nothing recorded or logged")
	}
	for _, secret := range []string{argument, result, structured, output, annotation, metaValue, progress, requestID, unknown, fault, bearer} {
		if strings.Contains(evidence, secret) {
			t.Errorf("%s is in the evidence", secret)
		}
		if strings.Contains(logs, secret) {
			t.Errorf("%s is in the log: %s", secret, logs)
		}
	}
}
