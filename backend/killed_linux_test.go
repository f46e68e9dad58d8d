package backend

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/session"
)

// marked counts the processes whose environment holds a text.
func marked(t *testing.T, mark string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(b, []byte(mark)) {
			n++
		}
	}
	return n
}

// TestKilledAnywhere: an app that is killed at any moment of a start, of a turn
// and of a login leaves no process after ten seconds, and a data folder that the
// next one opens, with no session that claims to live.
// Case 89.
func TestKilledAnywhere(t *testing.T) {
	prompts := []string{"hello", "permit 2", "term create {\"command\":\"sh\",\"args\":[\"-c\",\"trap '' TERM; sleep 3600 & wait; sleep 3600\"]}\nwait_for_exit {\"terminalId\":\"$T\"}"}
	for n, after := range []time.Duration{5, 40, 80, 120, 160, 200, 260, 330, 420, 600} {
		t.Run(fmt.Sprint(after*time.Millisecond), func(t *testing.T) {
			t.Parallel()
			home, mark := t.TempDir(), fmt.Sprintf("KILL_MARK=%d_%s", os.Getpid(), newID("k"))
			cmd := exec.Command(os.Args[0], "app", home, "fake-"+[]string{mannerPlain, mannerEnv}[n%2], prompts[n%len(prompts)], "fake-"+mannerStubLog)
			cmd.Env = append(os.Environ(), "APP_PROJECT="+t.TempDir(), mark)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-time.After(after * time.Millisecond) // the moment of the kill, not a wait for something
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			eventually(t, 10*time.Second, "no process is left", func() bool { return marked(t, mark) == 0 })
			a := openApp(t, home, fakes)
			for _, s := range a.Snapshot().Sessions {
				if session.State(s.State).Live() && s.Agent != agent.Toolbench { // that one begins with a first run
					t.Errorf("%+v", s)
				}
			}
			if left, err := os.ReadDir(filepath.Join(home, "run")); err != nil || len(left) != 0 {
				t.Errorf("%v %v", left, err)
			}
			for _, s := range a.Snapshot().Sessions {
				if err := a.StartSession(t.Context(), session.ID(s.ID)); err != nil && s.State == string(session.Interrupted) {
					t.Error(err)
				}
			}
		})
	}
}
