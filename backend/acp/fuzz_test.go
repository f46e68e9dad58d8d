package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// FuzzFrames feeds any bytes as an agent's whole output. The connection reads
// them to their end; an update is of the kind its bytes say; every update's
// bytes are JSON; a frame beyond the limit is told with its length.
func FuzzFrames(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		script := section(txtar.Parse(data), "agent")
		f.Add([]byte(script))
		for line := range strings.Lines(script) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte("\x1b]0;x\x07" + said + said + "\r\n" + ask(`{"a":1}`, "s")))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 4 << 10
		c := start(&Conn{w: discard{io.Discard}, r: io.NopCloser(bytes.NewReader(in)), maxFrame: limit, maxQueue: maxQueued, o: Options{
			Log: quiet,
			Now: time.Now,
			Noise: func(n int, sum string) {
				if n <= 0 || n > 3*limit || len(sum) != 64 {
					t.Errorf("noise of %d bytes, hash %q", n, sum)
				}
			},
			Dropped: func(n int64) {
				if n <= limit || n > int64(len(in)) {
					t.Errorf("dropped %d", n)
				}
			},
			Update: func(_ string, u Update) { checkUpdate(t, u) },
			Permission: func(ctx context.Context, r PermissionRequest) (PermissionOutcome, error) {
				if !json.Valid(r.Raw) {
					t.Errorf("raw: %q", r.Raw)
				}
				return PermissionOutcome{}, nil
			},
		}})
		wait(t, "the end", c.Done())
		c.Close()
	})
}

func checkUpdate(t *testing.T, u Update) {
	if !json.Valid(u.Raw) || !utf8.Valid(u.Raw) {
		t.Errorf("raw: %q", u.Raw)
	}
	var wire map[string]any
	_ = json.Unmarshal(u.Raw, &wire)
	if kind, _ := wire["sessionUpdate"].(string); kind != u.Kind {
		t.Errorf("kind %q of %s", u.Kind, u.Raw)
	}
	if (u.Tool != nil) != (u.Kind == KindToolCall || u.Kind == KindToolUpdate) {
		t.Errorf("tool of kind %q", u.Kind)
	}
	if b, err := json.Marshal(u); err != nil || !utf8.Valid(b) {
		t.Errorf("cannot be stored: %v", err)
	}
}
