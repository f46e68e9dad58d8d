package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/tool"
)

// TestMain makes the test binary a server of one endpoint when KANDEV_MCP_FIXTURE
// is set: for clients that others wrote (frontend/e2e/foreign) and for the
// conformance suites. It prints one line of JSON and serves until its stdin ends.
func TestMain(m *testing.M) {
	if os.Getenv("KANDEV_MCP_FIXTURE") == "" {
		os.Exit(m.Run())
	}
	if err := serveFixture(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fixture is the served endpoint; its tools change it.
type fixture struct {
	e    *Endpoint
	mu   sync.Mutex
	tick int
	seen []string // of the evidence, for the client's runner to look at
}

func serveFixture(in io.Reader, out io.Writer) error {
	s, err := Listen(ListenOptions{})
	if err != nil {
		return err
	}
	f := &fixture{}
	tools, refused := tool.NewSet(1, f.tools()...)
	if len(refused) > 0 {
		return refused[0].Err
	}
	f.e, err = s.Open(Options{
		Attempt: "fixture", Version: "1.0.0", Instructions: "A fixture.", BearerInPath: true, Tools: tools, Record: f.record,
	})
	if err != nil {
		return err
	}
	ready := encode(map[string]string{"url": f.e.URL(), "bearer": f.e.Bearer()})
	if _, err := fmt.Fprintf(out, "%s\n", ready); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, in)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.Close(ctx)
}

func (f *fixture) record(e attach.Evidence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen = append(f.seen, string(e.Kind)+" "+e.Protocol); len(f.seen) > 1000 {
		f.seen = f.seen[500:]
	}
}

// says is a tool that answers with a fixed text.
func says(name, text string) tool.Definition {
	return with(name, func(context.Context, tool.Call) (tool.Result, error) { return tool.Text(text), nil })
}

// tools are those that the conformance suites ask for by name, and ours.
func (f *fixture) tools() []tool.Definition {
	missing := says("test_missing_capability", "never said")
	missing.Requires = []string{"sampling"}
	schema := says("json_schema_2020_12_tool", "ok")
	schema.InputSchema = json.RawMessage(schema2020)
	wait := with("wait", f.wait)
	wait.Waits, wait.Limit = true, 2*time.Hour
	wait.InputSchema = json.RawMessage(`{"type":"object","properties":{"seconds":{"type":"number"}},"additionalProperties":false}`)
	echoed := with("echo", func(_ context.Context, c tool.Call) (tool.Result, error) { return tool.Text(string(c.Arguments)), nil })
	echoed.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{}},"additionalProperties":false}`)
	defs := []tool.Definition{
		says("test_simple_text", "This is a simple text response for testing."),
		with("test_error_handling", func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Fail("This tool intentionally returns an error for testing"), nil
		}),
		with("test_tool_with_progress", progresses), with("test_streaming_elicitation", progresses),
		says("test_logging_tool", "logged nothing"), missing, schema,
		with("test_trigger_tool_change", f.change),
		echoed, wait, with("evidence", f.evidence),
		with("calls", func(context.Context, tool.Call) (tool.Result, error) { return tool.Text(fmt.Sprint(f.e.Calls())), nil }),
	}
	for i := range defs {
		defs[i].Description = "A fixture: " + defs[i].Name + "."
		defs[i].Source = catalog.Source{Kind: catalog.KindPlugin, Plugin: "fixture"}
	}
	return defs
}

// progresses at the suites' pace. Clients that get progress and answer in one
// piece may look at the answer first.
func progresses(ctx context.Context, c tool.Call) (tool.Result, error) {
	for _, part := range []string{"begun", "half", "done"} {
		c.Progress(part)
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return tool.Text("ok"), nil
}

// wait waits for its client, or the seconds it was given.
func (f *fixture) wait(ctx context.Context, c tool.Call) (tool.Result, error) {
	var p struct {
		Seconds float64 `json:"seconds"`
	}
	_ = json.Unmarshal(c.Arguments, &p)
	if p.Seconds == 0 {
		p.Seconds = 7000
	}
	select {
	case <-ctx.Done():
		f.record(attach.Evidence{Kind: "wait_cancelled"})
		return tool.Result{}, ctx.Err()
	case <-time.After(time.Duration(p.Seconds * float64(time.Second))):
		return tool.Text("waited"), nil
	}
}

// change adds a tool of another name than before.
func (f *fixture) change(context.Context, tool.Call) (tool.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tick++
	added := f.tools()[0]
	added.Name = fmt.Sprintf("added_%d", f.tick)
	set, _ := tool.NewSet(uint64(f.tick), append(f.tools(), added)...)
	f.e.SetTools(set)
	return tool.Text(added.Name), nil
}

// evidence tells what was recorded, one piece a line.
func (f *fixture) evidence(context.Context, tool.Call) (tool.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b []byte
	for _, s := range f.seen {
		b = fmt.Appendln(b, s)
	}
	return tool.Text(string(b)), nil
}

// schema2020 is the schema that the suite wants back unchanged.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`
