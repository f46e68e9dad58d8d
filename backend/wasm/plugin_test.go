package wasm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/catalog"
	"kandev/backend/plugin"
	"kandev/backend/tool"
	"kandev/backend/wasm/guests"
)

// manifestOf declares one tool "echo" for a module.
func manifestOf(t testing.TB, wasm []byte) plugin.Manifest {
	t.Helper()
	p, err := plugin.Read(wasm)
	if err != nil {
		t.Fatal(err)
	}
	m, err := plugin.Bare("acme.echo.wasm", p, plugin.ABIDetect, []plugin.Tool{{
		Name: "echo", Description: "Gives back what it gets", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// opened is a plugin over module bytes; change may set any option.
func opened(t testing.TB, wasm []byte, change func(*Options)) *Plugin {
	t.Helper()
	o := Options{Manifest: manifestOf(t, wasm), Module: func() ([]byte, error) { return wasm, nil }}
	if change != nil {
		change(&o)
	}
	p, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func within(d time.Duration) func(*Options) {
	return func(o *Options) { o.Grant.TimeoutMS = int(d.Milliseconds()) }
}

func TestBothConventions(t *testing.T) {
	for _, c := range []struct {
		abi        plugin.ABI
		list, call string
		sent       string
	}{
		{plugin.ABIServlet, "describe", "call", `{"method":"tools/call","params":{"name":"echo","arguments":{"text":"<a> & b"}}}`},
		{plugin.ABIHyper, "list_tools", "call_tool", `{"context":{"id":"call","_meta":{}},"request":{"name":"echo","arguments":{"text":"<a> & b"}}}`},
	} {
		t.Run(string(c.abi), func(t *testing.T) {
			wasm := guestOf(c.list, c.call, echo()).Wasm()
			abi, tools, err := Describe(t.Context(), wasm)
			if err != nil || abi != c.abi || len(tools) != 1 || tools[0].Name != "echo" {
				t.Fatalf("%s %+v %v", abi, tools, err)
			}
			p := opened(t, wasm, nil)
			defs := p.Definitions()
			d := defs[0]
			if d.Name != "kandev_acme_echo_echo" || d.Source != (catalog.Source{Kind: catalog.KindPlugin, Plugin: "acme.echo", PluginName: "acme.echo", Tool: "echo"}) || *d.Annotations.ReadOnly {
				t.Errorf("%+v", d)
			}
			set, refused := tool.NewSet(1, defs...)
			if len(refused) > 0 {
				t.Fatal(refused)
			}
			found, _ := set.Lookup(d.Name)
			for range 3 {
				r, report := set.Call(t.Context(), found, tool.Call{Arguments: json.RawMessage(`{"text":"<a> & b"}`)}, tool.Limits{})
				if report.Outcome != tool.OutcomeOK || r.Text != c.sent || string(r.Structured) != c.sent {
					t.Fatalf("%+v %+v", r, report)
				}
			}
		})
	}
}

func TestCallEndsWithItsDeadline(t *testing.T) {
	p := opened(t, guestOf("describe", "call", spin).Wasm(), within(300*time.Millisecond))
	start := time.Now()
	_, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`))
	if fail == nil || fail.Outcome != Timeout || !strings.Contains(fail.Line, "300ms") {
		t.Fatalf("%+v", fail)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestCloseEndsRunningCalls(t *testing.T) {
	wasm := guestOf("describe", "call", spin).Wasm()
	var mu sync.Mutex
	var ended []Outcome
	p := opened(t, wasm, func(o *Options) {
		o.Ended = func(r Report) { mu.Lock(); defer mu.Unlock(); ended = append(ended, r.Outcome) }
	})
	if err := p.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	results := make(chan tool.Result, 3)
	started := make(chan struct{}, 3)
	p.o.Allowed = func(string) error { started <- struct{}{}; return nil }
	for range 3 { // one more than there are instances
		go func() {
			r, _ := p.Definitions()[0].Handler(context.Background(), tool.Call{Arguments: json.RawMessage(`{}`)})
			results <- r
		}()
	}
	for range 3 {
		<-started
	}
	p.Close()
	for range 3 {
		if r := <-results; !r.IsError || !strings.Contains(r.Text, "Plugin acme.echo, tool echo: the plugin was switched off, updated or removed") {
			t.Errorf("%+v", r)
		}
	}
	if r, _ := p.Definitions()[0].Handler(t.Context(), tool.Call{}); !r.IsError || !strings.Contains(r.Text, "switched off, updated or removed; list the tools again") {
		t.Errorf("a call after close: %+v", r)
	}
	if err := p.Load(t.Context()); err == nil {
		t.Error("a load after close")
	}
	p.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(ended) != 4 || ended[0] != Cancelled {
		t.Errorf("%v", ended)
	}
}

func TestCancelledByTheClient(t *testing.T) {
	p := opened(t, guestOf("describe", "call", spin).Wasm(), nil)
	if err := p.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.o.Allowed = func(string) error { cancel(); return nil }
	if _, fail := p.Call(ctx, "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Cancelled {
		t.Errorf("%+v", fail)
	}
}

func TestEachCallIsChecked(t *testing.T) {
	p := opened(t, guestOf("describe", "call", echo()).Wasm(), nil)
	if _, fail := p.Call(t.Context(), "other", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Refused {
		t.Errorf("an undeclared tool: %+v", fail)
	}
	p.o.Allowed = func(string) error { return errors.New("it was switched off") }
	if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Refused || fail.Line != "it was switched off" {
		t.Errorf("%+v", fail)
	}
	p.o.Allowed = nil
	if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{"text":"`+strings.Repeat("x", maxInput)+`"}`)); fail == nil || fail.Outcome != Refused {
		t.Errorf("large arguments: %+v", fail)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := guestOf("describe", "call", echo()).Wasm()
	for name, c := range map[string]struct {
		change func(*Options)
		part   string
	}{
		"changed file":      {func(o *Options) { o.Module = func() ([]byte, error) { return append(good, 0, 1, 0), nil } }, "changed since it was installed"},
		"no file":           {func(o *Options) { o.Module = func() ([]byte, error) { return nil, errors.New("/secret/path") } }, "file cannot be read"},
		"other convention":  {func(o *Options) { o.Manifest.Wasm.ABI = plugin.ABIHyper }, "does not export what hyper-mcp-v2 needs"},
		"an undeclared one": {func(o *Options) { o.Manifest.Tools[0].Name = "other" }, `describes a tool "echo" that the manifest does not declare`},
	} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, good, c.change)
			for range 2 {
				_, fail := p.Call(t.Context(), p.o.Manifest.Tools[0].Name, json.RawMessage(`{}`))
				if fail == nil || fail.Outcome != Unusable || !strings.Contains(fail.Line, c.part) {
					t.Fatalf("%+v lacks %q", fail, c.part)
				}
			}
		})
	}
	t.Run("declared and absent", func(t *testing.T) {
		p := opened(t, good, func(o *Options) {
			o.Manifest.Tools = append(o.Manifest.Tools, plugin.Tool{Name: "ghost", Description: "d", InputSchema: json.RawMessage(`{"type":"object"}`)})
		})
		if _, fail := p.Call(t.Context(), "ghost", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Refused {
			t.Errorf("%+v", fail)
		}
		if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail != nil {
			t.Errorf("%+v", fail)
		}
	})
}

// Safe for concurrent use: many callers, two instances, each gets its own
// answer.
func TestConcurrentCalls(t *testing.T) {
	p := opened(t, guestOf("describe", "call", echo()).Wasm(), nil)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			text := strings.Repeat(string(rune('a'+i)), 100)
			for range 5 {
				r, fail := p.Call(t.Context(), "echo", json.RawMessage(`{"text":"`+text+`"}`))
				if fail != nil || !strings.Contains(r.Text, text) {
					t.Errorf("%q: %+v %+v", text, r, fail)
				}
			}
		})
	}
	wg.Wait()
	if n := len(p.load.engine.idle); n < 1 || n > instances {
		t.Errorf("%d instances", n)
	}
}

// Check finds what is wrong with a module without running it.
func TestCheck(t *testing.T) {
	loops := guests.Of("describe", "call", spin).Initialising(spin).Wasm()
	if abi, err := Check(t.Context(), loops, plugin.ABIDetect, 0); err != nil || abi != plugin.ABIServlet {
		t.Errorf("%s %v", abi, err)
	}
	for stated, module := range map[plugin.ABI][]byte{plugin.ABIHyper: loops, plugin.ABIDetect: []byte("\x00asm\x01\x00\x00\x00")} {
		if _, err := Check(t.Context(), module, stated, 0); !errors.Is(err, ErrModule) {
			t.Errorf("%q: %v", stated, err)
		}
	}
}

// A module that starts with more memory than a trial run gives is fine when its
// manifest asks for as much.
func TestCheckMemory(t *testing.T) {
	large := guests.Of("describe", "call", echo()).Pages(100 * pagesPerMB).Wasm()
	if abi, err := Check(t.Context(), large, plugin.ABIDetect, 128); err != nil || abi != plugin.ABIServlet {
		t.Errorf("%s %v", abi, err)
	}
	if _, err := Check(t.Context(), large, plugin.ABIDetect, 64); !errors.Is(err, ErrModule) {
		t.Error(err)
	}
}
