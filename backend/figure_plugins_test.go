package backend

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/session"
)

// goModule builds the example in Go, once a test run.
var goModule = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "hello")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "plugin.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags", "-s -w", "-o", out, ".")
	cmd.Dir = "../examples/plugins/hello-go"
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return text, err
	}
	return os.ReadFile(out)
})

// goPlugin is a package of the example under an id.
func goPlugin(t *testing.T, id string) string {
	t.Helper()
	module, err := goModule()
	if err != nil {
		t.Fatalf("%v: %s", err, module)
	}
	tools := []any{map[string]any{"name": "hello", "description": "Greets somebody by name.", "input_schema": map[string]any{
		"type": "object", "required": []string{"name"},
		"properties": map[string]any{"name": map[string]any{"type": "string", "description": "Who is greeted"}},
	}}}
	return packageFile(t, id, module, map[string]any{"tools": tools})
}

func boundFigure(t *testing.T, name string, value float64, unit string, most float64) {
	t.Helper()
	appendFigure(t, os.Getenv("KANDEV_FIGURES"), name, value, unit)
	t.Logf("%s %.3g %s", name, value, unit)
	if value > most {
		t.Errorf("%s is %.3g %s, at most %g", name, value, unit, most)
	}
}

// TestFigurePluginEnable is the time from enabling the Go example in a running
// session to the list_changed that a client of another library was told.
func TestFigurePluginEnable(t *testing.T) {
	if os.Getenv("KANDEV_FIGURES") == "" {
		t.Skip("KANDEV_FIGURES is not set")
	}
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	c := a.client(id)
	name := a.install(goPlugin(t, "example.hello"))
	best := time.Hour
	for range 5 {
		c.names()
		told := c.told()
		began := time.Now()
		a.enable(name)
		a.until("told of it", func() bool { return c.told() > told })
		best = min(best, time.Since(began))
		if text, failed := c.call("kandev_example_hello_hello", map[string]any{"name": "Ada"}); failed || text != "Hello, Ada!" {
			t.Fatal(text)
		}
		c.names()
		a.disable(name)
		a.until("told of that too", func() bool { return c.told() > told+1 })
		<-time.After(300 * time.Millisecond) // a pace: the stream rests after a notification, and the next one is measured
	}
	boundFigure(t, "plugin_enable_ms", float64(best.Microseconds())/1000, "ms", 250)
}

// TestFigureStartPlugins compares the time from a process's start to the first
// answered call of a built-in tool with ten enabled Go plugins, against none.
// Both in one run, interleaved; the best of each.
func TestFigureStartPlugins(t *testing.T) {
	if os.Getenv("KANDEV_FIGURES") == "" {
		t.Skip("KANDEV_FIGURES is not set")
	}
	none, ten := t.TempDir(), t.TempDir()
	withPlugins(t, none, 0)
	withPlugins(t, ten, 10)
	firstAnswer(t, none) // warms the page cache
	var without, with []time.Duration
	for n := range 20 { // in turn, which of them goes first
		if n%2 == 0 {
			without = append(without, firstAnswer(t, none))
		}
		with = append(with, firstAnswer(t, ten))
		if n%2 == 1 {
			without = append(without, firstAnswer(t, none))
		}
	}
	t.Logf("none %s, ten %s", slices.Min(without), slices.Min(with))
	boundFigure(t, "start_ratio_10_plugins", float64(slices.Min(with))/float64(slices.Min(without)), "ratio", 1.1)
}

func withPlugins(t *testing.T, home string, n int) {
	t.Helper()
	s, err := OpenPlugins(t.Context(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range n {
		putPlugin(t, s, goPlugin(t, fmt.Sprintf("hello.%d", i)))
	}
	if all, _, _ := s.Plugins(t.Context()); n > 0 && all[0].Status.State != plugin.Enabled {
		t.Fatal("nothing is enabled")
	}
}

// firstAnswer starts an app as a process and waits for what runFirstCall says.
func firstAnswer(t *testing.T, home string) time.Duration {
	t.Helper()
	cmd, in, out := childCommand(t, "firstcall", home)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	took := time.Since(began)
	if err != nil || !strings.HasPrefix(line, "answered") {
		t.Fatalf("%q %v", line, err)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return took
}

// runFirstCall is an app whose agent calls a built-in tool first thing. It says
// so when the answer is there, and ends with stdin.
func runFirstCall(home string) int {
	ctx := context.Background()
	b, wake, err := openChild(home)
	if err != nil {
		return 1
	}
	p, err := b.AddProject(ctx, os.Getenv("APP_PROJECT"))
	if err != nil {
		return 1
	}
	id, err := b.NewSession(ctx, NewSession{Project: p.ID, Agent: "fake-" + mannerPlain, Prompt: "call list_tasks {}"})
	if err != nil {
		return 1
	}
	for answered := false; !answered; {
		<-wake
		items, _, _ := b.Transcript(ctx, id, 0)
		answered = slices.ContainsFunc(items, func(i session.Item) bool {
			return i.Kind == session.ItemMessage && strings.Contains(i.Text, "tasks")
		})
	}
	fmt.Println("answered")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	if err := b.Close(ctx); err != nil {
		return 1
	}
	return 0
}
