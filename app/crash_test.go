package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReloadOnceAMinute(t *testing.T) {
	var c crashes
	now := at
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{
		{0, true}, {30 * time.Second, false}, {59 * time.Second, false}, {61 * time.Second, true}, {time.Second, false},
	} {
		if got := c.reload(now.Add(step.after)); got != step.want {
			t.Errorf("a crash %v later: reload %v, want %v", step.after, got, step.want)
		}
		now = now.Add(step.after)
	}
}

// What the runtime says when it ends the process is in the file, also that of a
// goroutine that nobody recovers.
func TestCatchPanic(t *testing.T) {
	if path := os.Getenv("APP_PANIC_FILE"); path != "" {
		if err := catchPanic(path); err != nil {
			t.Fatal(err)
		}
		go func() { panic("on purpose") }()
		select {}
	}
	path := filepath.Join(t.TempDir(), "panic.txt")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCatchPanic$")
	cmd.Env = append(os.Environ(), "APP_PANIC_FILE="+path)
	if err := cmd.Run(); err == nil {
		t.Fatal("the child did not panic")
	}
	said, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(said), "panic: on purpose") || !strings.Contains(string(said), "goroutine") {
		t.Errorf("%q, %v", said, err)
	}
	if err := catchPanic(filepath.Join(path, "below")); err == nil {
		t.Error("no error where no file can be")
	}
}
