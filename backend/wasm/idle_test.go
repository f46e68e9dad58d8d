package wasm

import (
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A plugin nobody calls gives its memory back, keeps its variables and loads
// again at the next call.
func TestUnloadsWhenIdle(t *testing.T) {
	// The call puts 7 bytes of JSON into a variable when there is none, and answers
	// with what is there.
	stored := `{"content":[{"type":"text","text":"kept"}]}`
	for len(stored)%8 != 0 {
		stored += " "
	}
	body := code(3, block(0, int64(len(stored))), get(0), callf(fVarGet), set(1),
		get(1), []byte{0x50, 0x04, 0x40}, get(0), get(0), callf(fVarSet), get(0), set(1), []byte{0x0b},
		get(1), get(1), callf(fLength), callf(fOutput), okay)
	p := opened(t, guestOf("describe", "call", body).With([]byte(stored)).Wasm(), func(o *Options) { o.Idle = 20 * time.Millisecond })
	for range 2 {
		if r, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail != nil || r.Text != "kept" {
			t.Fatalf("%+v %+v", r, fail)
		}
		eventually(t, "it is unloaded", func() bool { return !p.Loaded() })
	}
	if p.vars.size == 0 {
		t.Error("the variables are gone")
	}
}

// eventually looks again and again at what gives no signal, ten seconds at most.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(10 * time.Second); !ok(); {
		select {
		case <-tick.C:
		case <-over:
			buf := make([]byte, 1<<16)
			t.Fatalf("%s: not within 10 s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

// Calls, unloads and the end may meet in any order.
func TestIdleWhileCalled(t *testing.T) {
	p := opened(t, guestOf("describe", "call", echo()).Wasm(), func(o *Options) { o.Idle = time.Microsecond })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 30 {
				if r, fail := p.Call(t.Context(), "echo", json.RawMessage(`{"text":"here"}`)); fail != nil || !strings.Contains(r.Text, "here") {
					t.Errorf("%+v %+v", r, fail)
				}
			}
		})
	}
	wg.Wait()
	p.Close()
	if p.Loaded() {
		t.Error("loaded after close")
	}
}
