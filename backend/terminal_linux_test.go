package backend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kandev/backend/session"
)

// sleepers are the processes "sleep seconds" that run.
func sleepers(t *testing.T, seconds int) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(line), fmt.Sprintf("sleep\x00%d\x00", seconds)) {
			n++
		}
	}
	return n
}

// sleepersBecome waits ten seconds for that many.
func sleepersBecome(t *testing.T, seconds, want int) {
	t.Helper()
	eventually(t, 10*time.Second, fmt.Sprintf("%d processes", want), func() bool { return sleepers(t, seconds) == want })
}

// TestAgentTerminal: every method over ACP, as the agent is answered, as the
// person is shown it, and as it is there after the app was started again.
func TestAgentTerminal(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
	seconds := 300000 + os.Getpid()
	a.say(id, fmt.Sprintf(`term create {"command":"sh","args":["-c","echo S3NT-output; exec sleep %d"]}
show in_progress
output {"terminalId":"none"}
create {"command":"pwd","cwd":"/"}
create {"command":"sh","args":["-c","pwd; exit 4"]}
wait_for_exit {"terminalId":"$T"}
output {"terminalId":"$T"}
release {"terminalId":"$T"}
release {"terminalId":"$T"}`, seconds))
	real, _ := filepath.EvalSymlinks(a.folder(id))
	for _, want := range []string{
		"There is no terminal of this id, or it was released.\n/ is outside of the session's folder.\nmade\n{\"exitCode\":4}\n",
		fmt.Sprintf("{\"output\":%q,\"truncated\":false,\"exitStatus\":{\"exitCode\":4}}\n{}\nThere is no terminal", real+"\n"),
	} {
		a.said(id, want)
	}
	a.until("the output of what runs", func() bool { return a.terminal(id).Output == "S3NT-output\n" })
	if one := a.terminal(id); one.Ended || one.Command != fmt.Sprintf("sh -c 'echo S3NT-output; exec sleep %d'", seconds) {
		t.Errorf("%+v", one)
	}
	if n := sleepers(t, seconds); n != 1 {
		t.Fatalf("%d processes", n)
	}
	a.inState(id, session.Ready)
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.until("the end with its attempt", func() bool { return a.terminal(id).Ended })
	if n := sleepers(t, seconds); n != 0 || a.terminal(id).Signal != "SIGTERM" {
		t.Errorf("%d processes, %+v", n, a.terminal(id))
	}
	a.quit()
	a.noGuards()
	a = openApp(t, home, fakes)
	if one := a.terminal(id); one.Output != "S3NT-output\n" || !one.Ended || one.Signal != "SIGTERM" {
		t.Errorf("stored: %+v", one)
	}
}

// TestTerminalStopped: with the session's agent its commands end.
func TestTerminalStopped(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	seconds := 400000 + os.Getpid()
	a.say(id, fmt.Sprintf("term create {\"command\":\"sleep\",\"args\":[\"%d\"]}\nshow completed", seconds))
	a.until("the command", func() bool { return sleepers(t, seconds) == 1 && a.terminal(id).Command != "" })
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.settled(id)
	if one := a.terminal(id); sleepers(t, seconds) != 0 || !one.Ended {
		t.Errorf("%d processes, %+v", sleepers(t, seconds), one)
	}
}

// TestAppKilledTerminal: kill -9 of the app leaves no command, and the next
// start says that it ended, without the output that was not stored yet.
func TestAppKilledTerminal(t *testing.T) {
	home := t.TempDir()
	seconds := 500000 + os.Getpid()
	prompt := fmt.Sprintf(`term create {"command":"sh","args":["-c","trap '' TERM; (setsid sleep %d &); echo out; while :; do sleep %d; done"]}
show in_progress`, seconds, seconds)
	app, r := appProcess(t, func(*exec.Cmd) {}, home, "fake-"+mannerPlain, prompt)
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	sleepersBecome(t, seconds, 2)
	app.again() // stored
	killed := time.Now()
	if err := app.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	sleepersBecome(t, seconds, 0)
	t.Logf("gone after %v", time.Since(killed))
	a := openApp(t, home, fakes)
	one := a.terminal(r.Session)
	if !one.Ended || !strings.Contains(one.Command, "setsid") || one.Code != nil {
		t.Errorf("%+v", one)
	}
}
