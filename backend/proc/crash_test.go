//go:build linux || darwin

package proc

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// app starts a process that plays the app, and returns what its trees named. The guards are among them, with their real start times.
func app(t *testing.T, s appScript, named int) (*exec.Cmd, []ident) {
	t.Helper()
	script, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "app", string(script))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	ids := idents(t, out, named+len(s.Agents))
	for i, id := range ids {
		if id.Start == "guard" {
			e, _ := processEntry(id.PID)
			ids[i] = e.ident
		}
	}
	killAfterwards(t, ids)
	if left := living(ids); len(left) != len(ids) {
		t.Fatalf("the tree is not complete: %v of %v", left, ids)
	}
	return cmd, ids
}

var misbehaving = [][]string{
	{"orphan", "pid", "echo"},                                      // heeds stdin, leaves a daemon
	{"ignore-term", "child", "orphan", "orphan", "pid", "forever"}, // heeds nothing
}

// Case 89.
func TestAppKilled(t *testing.T) {
	s := appScript{Agents: misbehaving, Grace: shortGrace, PIDDir: t.TempDir()}
	cmd, ids := app(t, s, 6)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	took := goneWithin(t, 10*time.Second, ids)
	t.Logf("gone after %v", took)
	if files, err := os.ReadDir(s.PIDDir); len(files) != 0 || err != nil {
		t.Errorf("pid files left: %v, %v", files, err)
	}
}

// The promise with the real limits: nothing lives on after 10 s.
// Case 89.
func TestAppKilledRealLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes more than 5 s")
	}
	t.Parallel()
	cmd, ids := app(t, appScript{Agents: misbehaving}, 6)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	took := goneWithin(t, 10*time.Second, ids)
	t.Logf("gone after %v", took)
	if took < StdinGrace+TermGrace/2 {
		t.Errorf("gone after %v: the graces were not given", took)
	}
}

// Both the app and its guards are killed: the pid file ends the rest at the next start.
func TestSweepAfterAppAndGuardKilled(t *testing.T) {
	s := appScript{Agents: [][]string{{"ignore-term", "child", "orphan", "pid", "forever"}}, PIDDir: t.TempDir(), Poll: 10 * time.Millisecond}
	cmd, ids := app(t, s, 3)
	guard := ids[0]
	recorded := func() bool {
		content, err := os.ReadFile(recordPath(s.PIDDir, guard.PID))
		if err != nil {
			t.Fatal(err)
		}
		r, err := parseRecord(content)
		if err != nil || r.Guard != guard {
			t.Fatalf("%v, guard %v", err, r.Guard)
		}
		return !slices.ContainsFunc(ids[1:], func(id ident) bool { return !slices.Contains(r.Tree, id) })
	}
	eventually(t, 10*time.Second, "the pid file names the tree", recorded)
	// The app first stopped, so that it does not clean up after its guard.
	_ = cmd.Process.Signal(syscall.SIGSTOP)
	_ = syscall.Kill(guard.PID, syscall.SIGKILL)
	_ = cmd.Process.Kill()
	if adopts {
		goneWithin(t, time.Second*5, ids[:1])
	}
	if left := living(ids); len(left) == 0 {
		t.Fatal("nothing left to sweep: the test tests nothing")
	}
	killed, err := Sweep(s.PIDDir)
	if err != nil || killed < 2 {
		t.Errorf("killed %d, error %v", killed, err)
	}
	mustBeGone(t, ids)
	if files, _ := os.ReadDir(s.PIDDir); len(files) != 0 {
		t.Errorf("pid files left: %v", files)
	}
}

// A guard still at its work when the next app starts is ended with its tree.
func TestSweepWithLivingGuard(t *testing.T) {
	s := appScript{Agents: misbehaving, PIDDir: t.TempDir(), Poll: 10 * time.Millisecond}
	cmd, ids := app(t, s, 6)
	_ = cmd.Process.Kill()
	if _, err := Sweep(s.PIDDir); err != nil {
		t.Error(err)
	}
	goneWithin(t, 2*time.Second, ids)
}
