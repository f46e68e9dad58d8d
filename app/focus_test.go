package app

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kandev/backend"
	"kandev/backend/attach"
)

func TestSecondStartFocusesTheFirst(t *testing.T) {
	home, raised := t.TempDir(), make(chan struct{}, 8)
	f := listenFocus(home, "1.2.3", func() { raised <- struct{}{} }, slog.New(slog.DiscardHandler))
	if f == nil {
		t.Fatal("no socket")
	}
	if err := askFocus(home, focusLimit); err != nil {
		t.Fatal(err)
	}
	<-raised
	if info, err := os.Stat(backend.FocusSocket(home)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v (%v)", info.Mode(), err)
	}
	if got := otherVersion(home, "1.2.3"); got != "" {
		t.Errorf("the same version: %q", got)
	}
	if got := otherVersion(home, "1.3.0"); !strings.Contains(got, "version 1.2.3 is still running") || !strings.Contains(got, "this is 1.3.0") {
		t.Errorf("an older version: %q", got)
	}
	if got := ask(t, home, "version\n"); got != "1.2.3\n" {
		t.Errorf("version: %q", got)
	}
	for _, other := range []string{"quit\n", strings.Repeat("x", 1000), "\n"} {
		if got := ask(t, home, other); got != "" {
			t.Errorf("%.10q was answered %q", other, got)
		}
	}
	f.close()
	if len(raised) != 0 {
		t.Error("something else raised the window")
	}
	if err := askFocus(home, 50*time.Millisecond); !errors.Is(err, backend.ErrNotAnswering) {
		t.Errorf("after the first has ended: %v", err)
	}
}

// TestFirstIsStillStarting: the first has the lock and no socket yet, as when the
// app is started twice by accident; case 74.
func TestFirstIsStillStarting(t *testing.T) {
	home, raised := t.TempDir(), make(chan struct{}, 1)
	answered := make(chan error, 1)
	go func() { answered <- askFocus(home, 10*time.Second) }()
	select {
	case err := <-answered:
		t.Fatalf("it was not waited for: %v", err)
	case <-time.After(200 * time.Millisecond): // nothing tells that it waits
	}
	f := listenFocus(home, "1.2.3", func() { raised <- struct{}{} }, slog.New(slog.DiscardHandler))
	defer f.close()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	<-raised
}

func ask(t *testing.T, home, line string) string {
	t.Helper()
	conn, err := net.Dial("unix", backend.FocusSocket(home))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(line))
	_ = conn.(*net.UnixConn).CloseWrite()
	b := make([]byte, 64)
	n, _ := conn.Read(b)
	return string(b[:n])
}

// TestSilentAppIsNotWaitedForLong: an app that hangs does not hang the second start.
func TestSilentAppIsNotWaitedForLong(t *testing.T) {
	home := t.TempDir()
	l, err := net.Listen("unix", backend.FocusSocket(home))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := askFocus(home, 50*time.Millisecond); !errors.Is(err, backend.ErrNotAnswering) {
		t.Errorf("%v", err)
	}
}

func TestDataFolder(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	if got, err := backend.DataFolder(env(map[string]string{"KANDEV_HOME": "relative"})); err != nil || !filepath.IsAbs(got) {
		t.Errorf("%q (%v)", got, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if got, _ := backend.DataFolder(env(map[string]string{"XDG_DATA_HOME": "/x"})); got != "/x/kandev-desktop/data" {
		t.Errorf("%q", got)
	}
	if got, _ := backend.DataFolder(env(map[string]string{"XDG_DATA_HOME": "relative"})); strings.Contains(got, "relative") {
		t.Errorf("a relative XDG_DATA_HOME was taken: %q", got)
	}
}

func TestWriteWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.json")
	if err := writeWhole(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(filepath.Join(filepath.Dir(path), "no", "x"), nil); err == nil {
		t.Error("a folder that is not there was written to")
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
}

// TestDiagnosticsHoldNoAgentOutput: that the agent refused is told, what it said
// is not; the history itself keeps it.
func TestDiagnosticsHoldNoAgentOutput(t *testing.T) {
	h := attach.History{}
	for _, e := range []attach.Evidence{
		{Kind: attach.Started, Attempt: "a1", Reason: attach.StartNew},
		{Kind: attach.Delivered, Attempt: "a1", Server: attach.BuiltinServer},
		{Kind: attach.Failed, Attempt: "a1", Server: attach.BuiltinServer, Reason: attach.SessionRefused, Summary: "its own words"},
		{Kind: attach.Filtered, Attempt: "a1", Server: "far", Reason: "agent_takes_no_sse", Summary: "a sentence of ours"},
	} {
		e.At = at
		h, _ = attach.Reduce(h, e)
	}
	text, err := diagnostics("1.0", goldenAgent(), h, true)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "its own words") || !strings.Contains(text, "session_refused") || !strings.Contains(text, "a sentence of ours") {
		t.Error(text)
	}
	if h.Current().Servers[0].Summary != "its own words" {
		t.Error("the history was written to")
	}
}

// TestDiagnosticsHoldNoDefinition: names, descriptions, schemas and addresses stay out.
func TestDiagnosticsHoldNoDefinition(t *testing.T) {
	text, err := diagnostics("1.0", goldenAgent(), goldenHistory(), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"ask_user_question", "Ask <b>", "inputSchema", "api_key", "sk-123", "/mcp/a2", "u:p"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the diagnostics:\n%s", secret, text)
		}
	}
	for _, wanted := range []string{"tools_list_observed", `"tool_count": 3`, `"calls": 1`, "h.example"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%q is not in the diagnostics:\n%s", wanted, text)
		}
	}
}
