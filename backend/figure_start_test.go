package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/sqlite"
	"kandev/backend/task"
)

// TestFigureStartRatio200 compares the start of the real program, from exec to
// the first answered call of its page, with 200 sessions that each hold a full
// catalog, against a database without sessions. Both in one run, interleaved,
// best of three pairs. Runs under `make figures`.
func TestFigureStartRatio200(t *testing.T) {
	out, bin := os.Getenv("KANDEV_FIGURES"), os.Getenv("KANDEV_PACKAGED") // what people install
	if out == "" || bin == "" {
		t.Skip("runs under `make figures`")
	}
	display := virtualDisplay(t)
	empty, full := t.TempDir(), t.TempDir()
	prepare(t, empty, 0)
	prepare(t, full, 200)
	startOnce(t, bin, display, empty) // warms the page cache
	var ratios, plain []float64
	for range 3 {
		e, f := startOnce(t, bin, display, empty), startOnce(t, bin, display, full)
		ratios = append(ratios, float64(f)/float64(e))
		plain = append(plain, float64(e.Milliseconds()))
	}
	appendFigure(t, out, "start_ratio_200", slices.Min(ratios), "ratio")
	appendFigure(t, out, "start_ms", slices.Min(plain), "ms")
}

func appendFigure(t *testing.T, path, name string, value float64, unit string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %.3g %s\n", name, value, unit)
}

// virtualDisplay starts an X server that ends with the test.
func virtualDisplay(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	_ = w.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(line)
}

// startOnce starts the program and waits for its first answered call.
func startOnce(t *testing.T, bin, display, home string) time.Duration {
	t.Helper()
	log := filepath.Join(home, "logs", "kandev.log")
	if err := os.RemoveAll(log); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "KANDEV_HOME="+home, "DISPLAY="+display, "assetdir=../frontend/dist", "devserver=127.0.0.1:0", "loglevel=error")
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	var answered time.Time
	eventually(t, 30*time.Second, "a call is answered", func() bool {
		answered = firstCall(log)
		return !answered.IsZero()
	})
	return answered.Sub(began)
}

// firstCall is when the program's log says that a call was answered first; the
// zero time before that.
func firstCall(log string) time.Time {
	b, _ := os.ReadFile(log)
	for line := range strings.Lines(string(b)) {
		var r struct {
			Time time.Time `json:"time"`
			Msg  string    `json:"msg"`
		}
		if json.Unmarshal([]byte(line), &r) == nil && r.Msg == "first call answered" {
			return r.Time
		}
	}
	return time.Time{}
}

// prepare writes a database with a project and n sessions of full catalogs.
func prepare(t *testing.T, home string, n int) {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, filepath.Join(home, sqlite.FileName), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(ctx)
	p := project.Project{ID: "p_1", Name: "p", Path: home, UsedAt: at}
	if _, err := db.SaveSession(ctx, sqlite.Change{Project: &p}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id := fmt.Sprint(i)
		tk := task.Task{ID: task.ID("t_" + id), Project: p.ID, Title: "Task " + id, Step: task.Plan, Seq: int64(2 * i)}
		s := session.Session{ID: session.ID("s_" + id), Project: p.ID, Task: tk.ID, Agent: "toolbench", State: session.Stopped, Seq: int64(2*i + 1), CreatedAt: at, UpdatedAt: at}
		h := fullHistory("a_" + id)
		if _, err := db.SaveSession(ctx, sqlite.Change{ID: s.ID, Task: &tk, Session: &s, Attachment: &h}); err != nil {
			t.Fatal(err)
		}
	}
}

// fullHistory is an attempt with 128 tools and 512 KiB of schemas.
func fullHistory(attempt string) attach.History {
	c := catalog.Catalog{Total: 128, TokensCover: 128, Method: catalog.Method}
	total := 128 * 1000
	c.TokensTotal = &total
	for i := range 128 {
		n := 1000
		c.Entries = append(c.Entries, catalog.Entry{
			Served: fmt.Sprintf("tool_%03d_kandev", i), Description: strings.Repeat("d", 200), Source: catalog.Source{Kind: catalog.KindBuiltin},
			InputSchema: `{"type":"object","properties":{"p":{"type":"string","description":"` + strings.Repeat("x", 4000) + `"}}}`, Estimate: &n,
		})
	}
	h, _ := attach.Reduce(attach.History{}, attach.Evidence{Kind: attach.Started, Attempt: attempt, At: at, Reason: attach.StartNew})
	for _, e := range []attach.Evidence{
		{Kind: attach.Configured, Source: attach.SourceBuiltin, Transport: "http"},
		{Kind: attach.Delivered},
		{Kind: attach.Accepted},
		{Kind: attach.HandshakeObserved, Connection: "c"},
		{Kind: attach.ToolsListObserved, Order: 1, Catalog: &c},
	} {
		e.Attempt, e.Server, e.At = attempt, attach.BuiltinServer, at
		h, _ = attach.Reduce(h, e)
	}
	return h
}
