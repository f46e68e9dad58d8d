package mcpserver

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/tool"
)

// waiting is a tool that waits for its ctx or for release, as a question does.
func waiting(release <-chan struct{}) (tool.Definition, chan string) {
	h, running := blocking(release)
	ask := with("ask_kandev", h)
	ask.Waits, ask.Limit = true, 2*time.Hour
	return ask, running
}

// A waiting call shows that it lives in the newer era as well, and its headers
// come at once: nothing is released before they are here.
func TestModernLongCall(t *testing.T) {
	release := make(chan struct{})
	ask, running := waiting(release)
	r := setup(t, set(t, ask), func(o *Options, _ *limits) { o.KeepAlive = 5 * time.Millisecond })
	var streams []chan string
	for meta, beat := range map[string]string{"": ": waiting", `,"progressToken":7`: `"progressToken":7,"progress":2`} {
		body, header := modernCall("1", "ask_kandev", "{}", meta)
		res, err := r.do(t.Context(), "POST", body, header...)
		if err != nil || res.Header.Get("Content-Type") != eventStream || res.Header.Get("X-Accel-Buffering") != "no" {
			t.Fatal(err, res)
		}
		takes(t, running)
		lines := make(chan string, 10_000)
		go readLines(res.Body, lines)
		receive(t, lines, beat)
		streams = append(streams, lines)
	}
	close(release)
	for _, lines := range streams {
		receive(t, lines, `"text":"released"`)
		if _, more := <-lines; more {
			t.Error("something after the result")
		}
	}
}

// A stateless call ends with its stream, and when we end it, its client is told.
func TestModernCancel(t *testing.T) {
	ask, running := waiting(nil)
	ended := make(chan struct{}, 2)
	inner := ask.Handler
	ask.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		defer func() { ended <- struct{}{} }()
		return inner(ctx, c)
	}
	r := setup(t, set(t, ask))
	open := func() (lines chan string, hangUp func()) {
		ctx, cancel := context.WithCancel(context.Background())
		body, header := modernCall("1", "ask_kandev", "{}", `,"progressToken":7`)
		res, err := r.do(ctx, "POST", body, header...)
		if err != nil {
			t.Fatal(err)
		}
		takes(t, running)
		lines = make(chan string, 16)
		go readLines(res.Body, lines)
		return lines, cancel
	}
	_, hangUp := open()
	kept, end := open()
	defer end()
	hangUp()
	takes(t, ended)
	if n := r.e.Calls(); n == 0 {
		t.Error("the other call ended too")
	}
	r.e.CancelCalls(errors.New("the person stopped it"))
	if line := receive(t, kept, "data:"); !containsAll(line, `"isError":true`, "the person stopped it") {
		t.Error(line)
	}
	takes(t, ended)
}

// TestLongCalls holds calls of both eras, with and without a progress token, for
// KANDEV_LONG_CALLS (make long-calls: 20 minutes) at the real pace. The client
// must hear something at least every 12 s.
func TestLongCalls(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("KANDEV_LONG_CALLS"))
	if err != nil {
		t.Skip("KANDEV_LONG_CALLS holds no duration")
	}
	release := make(chan struct{})
	ask, running := waiting(release)
	r := setup(t, set(t, ask)).init()
	var wg sync.WaitGroup
	for _, token := range []string{"", `"progressToken":"t"`} {
		modern, header := modernCall("1", "ask_kandev", "{}", strings.TrimSuffix(","+token, ","))
		for era, c := range map[string]struct {
			body   string
			header []string
		}{
			"2025-11-25": {callMessage("1", "ask_kandev", "{}", "{"+token+"}"), nil},
			"2026-07-28": {modern, header},
		} {
			res, err := r.do(t.Context(), "POST", c.body, c.header...)
			if err != nil {
				t.Fatal(err)
			}
			takes(t, running)
			lines := make(chan string, 1024)
			go readLines(res.Body, lines)
			wg.Go(func() { hearsOften(t, era+" "+token, lines, length) })
		}
	}
	time.AfterFunc(length, func() { close(release) })
	wg.Wait()
}

func hearsOften(t *testing.T, name string, lines <-chan string, length time.Duration) {
	began, heard, longest := time.Now(), time.Now(), time.Duration(0)
	beats := 0
	for line := range lines {
		longest, heard = max(longest, time.Since(heard)), time.Now()
		if beats++; strings.Contains(line, `"text":"released"`) {
			t.Logf("%s: answered after %s, %d beats, longest silence %s", name, time.Since(began).Round(time.Second), beats, longest.Round(time.Millisecond))
			if longest > 12*time.Second || time.Since(began) < length-time.Second {
				t.Errorf("%s: silent for %s", name, longest)
			}
			return
		}
	}
	t.Errorf("%s: the stream ended after %s and %d beats", name, time.Since(began), beats)
}
