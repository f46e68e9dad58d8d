package wasm

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// After a trap the instance is gone, and the next call gets a fresh one; after
// an error of the tool's own it stays.
func TestInstanceAfterAFailure(t *testing.T) {
	for name, c := range map[string]struct {
		body []byte
		idle int
	}{
		"trap":     {code(0, unreachable), 0},
		"exit":     {code(0, i32c(1), callf(fExit), okay), 0},
		"own code": {code(0, i32c(1)), 1},
		"no JSON":  {code(0, okay), 1},
		"answer":   {echo(), 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, guestOf("describe", "call", c.body).Wasm(), nil)
			for range 3 {
				_, _ = p.Call(t.Context(), "echo", json.RawMessage(`{}`))
				if n := len(p.load.engine.idle); n != c.idle {
					t.Fatalf("%d instances wait, want %d", n, c.idle)
				}
			}
		})
	}
}

// A plugin that loops takes its own instances and nobody else's time.
func TestOthersAnswerMeanwhile(t *testing.T) {
	bad := opened(t, guestOf("describe", "call", spin).Wasm(), within(20*time.Second))
	good := opened(t, guestOf("describe", "call", echo()).Wasm(), within(20*time.Second))
	done := make(chan *Failure, 3)
	for range 3 {
		go func() {
			_, fail := bad.Call(context.Background(), "echo", json.RawMessage(`{}`))
			done <- fail
		}()
	}
	for range 5 {
		if r, fail := good.Call(t.Context(), "echo", json.RawMessage(`{"text":"here"}`)); fail != nil || !strings.Contains(r.Text, "here") {
			t.Errorf("%+v %+v", r, fail)
		}
	}
	runtime.GC() // a loop that cannot be preempted would freeze it
	bad.Close()
	for range 3 {
		if fail := <-done; fail == nil || fail.Outcome != Cancelled {
			t.Errorf("%+v", fail)
		}
	}
}

// A call that waits for an instance and gets none has not failed: it says that
// the plugin was busy, and counts for no crash loop.
func TestBusyIsNoCrash(t *testing.T) {
	p := opened(t, guestOf("describe", "call", spin).Wasm(), within(400*time.Millisecond))
	if err := p.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range instances {
		p.load.engine.slots <- struct{}{}
	}
	if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Refused || fail.Outcome.Crashed() || !strings.Contains(fail.Line, "busy with other calls for 400ms") {
		t.Errorf("%+v", fail)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, fail := p.Call(ctx, "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Cancelled {
		t.Errorf("%+v", fail)
	}
	for range instances {
		<-p.load.engine.slots
	}
	if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Timeout {
		t.Errorf("one that runs is no busy one: %+v", fail)
	}
}

func TestVariables(t *testing.T) {
	var v variables
	if v.get("a") != nil || !v.set("a", []byte("1")) || string(v.get("a")) != "1" {
		t.Error("a value is not kept")
	}
	if v.set("b", make([]byte, maxVars)) || v.get("b") != nil {
		t.Error("more than the limit is kept")
	}
	if !v.set("a", make([]byte, maxVars-1)) || v.set("b", nil) || !v.set("a", []byte("2")) {
		t.Error("replacing counts twice")
	}
	v.drop("a")
	v.drop("a")
	if v.size != 0 {
		t.Errorf("%d bytes are left of nothing", v.size)
	}
	n := 0
	for ; v.set(string(rune('a'+n)), nil) && n < 1<<20; n++ {
	}
	if n > maxVars/32 {
		t.Errorf("%d empty values fit", n)
	}
}

// The module may read declared keys only, and none while it describes itself.
// Which keys a bare one has is the owner's to say.
func TestConfigByDeclaredKey(t *testing.T) {
	body := code(3, block(0, 8), get(0), callf(fConfig), set(1), get(1), get(1), callf(fLength), callf(fOutput), okay)
	for _, c := range []struct {
		key  string
		bare bool
		want Outcome
		text string
	}{{"declared", false, OK, "7"}, {"othr_key", false, Malformed, ""}, {"othr_key", true, OK, "7"}} {
		var asked []string
		p := opened(t, guestOf("describe", "call", body).With([]byte(c.key)).Wasm(), func(o *Options) {
			o.Manifest.Bare = c.bare
			o.Manifest.Config = []plugin.Field{{Key: "declared", Type: plugin.FieldString}}
			o.Config = func(_ context.Context, key string) (string, bool) {
				asked = append(asked, key)
				return `{"content":[{"type":"text","text":"7"}]}`, true
			}
		})
		r, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`))
		got := OK
		if fail != nil {
			got = fail.Outcome
		}
		if got != c.want || r.Text != c.text || slices.Contains(asked, "othr_key") != c.bare {
			t.Errorf("%s: %+v %+v, asked %v", c.key, r, fail, asked)
		}
	}
}

func TestResultForms(t *testing.T) {
	for name, c := range map[string]struct{ out, text string }{
		"two texts":     {`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb"},
		"image":         {`{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`, "[image image/png, 3 bytes, not shown]"},
		"resource text": {`{"content":[{"type":"resource","resource":{"uri":"x:y","text":"inside"}}]}`, "inside"},
		"resource blob": {`{"content":[{"type":"resource","resource":{"uri":"x:y","blob":"AA"}}]}`, "[resource x:y]"},
		"link":          {`{"content":[{"type":"resource_link","uri":"x:y"}]}`, "[resource x:y]"},
		"structured":    {`{"content":[{"type":"text","text":"t"}],"structuredContent":{"a":1}}`, "t"},
		"empty text":    {`{"content":[{"type":"text","text":""}]}`, ""},
		"trap in type":  {`{"content":[{"type":"x\n\u001b[2J"}]}`, "[x [2J , 0 bytes, not shown]"},
	} {
		if r, fail := result([]byte(c.out)); fail != nil || r.Text != c.text {
			t.Errorf("%s: %q %+v", name, r.Text, fail)
		}
	}
	for name, out := range map[string]string{
		"many items":   `{"content":[` + strings.Repeat("{},", 300_000) + `{}]}`,
		"broken bytes": `{"content":[{"type":"text","text":"` + strings.Repeat("\xffa", 500_000) + `"}]}`,
		"structured":   `{"structuredContent":{"a":"` + strings.Repeat("\xffa", 500_000) + `"}}`,
	} {
		if r, fail := result([]byte(out)); fail == nil || fail.Outcome != Malformed || !strings.Contains(fail.Line, "at most") {
			t.Errorf("%s: %d bytes became %d", name, len(out), len(r.Text)+len(r.Structured))
		}
	}
	if r, fail := result([]byte(`{"content":[{"type":"text","text":"no"}],"isError":true}`)); fail != nil || !r.IsError {
		t.Errorf("%+v %+v", r, fail)
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb\t c": "a b c", "\x1b[2Jx": "[2Jx", "a\xffb": "a\ufffdb", "\u202eabc": "abc", " ": "",
	} {
		if got := line(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := line(strings.Repeat("ä", maxLine)); len(got) > maxLine+len("…") || !strings.HasSuffix(got, "ä…") {
		t.Errorf("%d bytes", len(got))
	}
}

// The names of hyper-mcp v2's imports are there in whatever form a module wants
// them.
func TestUserImports(t *testing.T) {
	var more [][]byte
	for i, name := range userFuncs {
		more = append(more, imported(userModule, name, []uint64{tLL, tLv, tLLL}[i%3]))
	}
	body := code(3, i64c(8), callf(fOwn), set(0), i64c(8), callf(fOwn+1), get(0), get(0), callf(fLength), callf(fOutput), okay)
	own := uint64(fOwn + len(userFuncs))
	wasm := module(guests.Types(), guestImports(more...), section(3, vec(u(tI32), u(tI32))), section(5, vec([]byte{0, 1})),
		section(7, vec(cat(str("list_tools"), []byte{0}, u(own)), cat(str("call_tool"), []byte{0}, u(own+1)))),
		section(10, vec(say(0, int64(len(echoDescription))), body)),
		section(11, vec(cat([]byte{0, 0x41, 0, 0x0b}, str(echoDescription)))))
	p := opened(t, wasm, nil)
	if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail == nil || fail.Outcome != Malformed {
		t.Errorf("%+v", fail) // the answer is notSupported, which is no result
	}
	bad := module(guests.Types(), guestImports(imported(userModule, "run_shell", tLL)))
	if _, _, err := Describe(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "extism:host/user.run_shell") {
		t.Errorf("%v", err)
	}
}

// Nothing runs on after Close.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		p := opened(t, guestOf("describe", "call", spin).Wasm(), within(100*time.Millisecond))
		_, _ = p.Call(t.Context(), "echo", json.RawMessage(`{}`))
		p.Close()
	}
	eventually(t, "no more goroutines than before", func() bool { return runtime.NumGoroutine() <= before })
}
