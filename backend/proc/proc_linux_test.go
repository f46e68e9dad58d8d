package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The agent has its three pipes and nothing else, whatever the app has open, and they block as programs expect.
func TestAgentInheritsOnlyStdio(t *testing.T) {
	var leak [2]int
	if err := unix.Pipe2(leak[:], 0); err != nil { // not close-on-exec, as a desktop launcher may leave it
		t.Fatal(err)
	}
	defer func() { _, _ = unix.Close(leak[0]), unix.Close(leak[1]) }()
	first := start(t, selfCommand("echo"))
	second := start(t, Command{Self: selfCommand().Self, Path: "/bin/cat", Grace: selfCommand().Grace})
	_ = first
	fds := descriptors(t, second.PID())
	if len(fds) != 3 {
		t.Errorf("the agent has %v", fds)
	}
	for fd := range 3 {
		if !strings.HasPrefix(fds[fmt.Sprint(fd)], "pipe:") {
			t.Errorf("descriptor %d is %s", fd, fds[fmt.Sprint(fd)])
		}
		info, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", second.PID(), fd))
		if err != nil {
			t.Fatal(err)
		}
		var position, flags int
		if _, err := fmt.Sscanf(string(info), "pos: %d\nflags: %o", &position, &flags); err != nil || flags&unix.O_NONBLOCK != 0 {
			t.Errorf("descriptor %d: %s, %v", fd, info, err)
		}
	}
	// The guard keeps control and status only, and its stdio is nobody's.
	guard := descriptors(t, second.run.guard)
	for fd := range 3 {
		if guard[fmt.Sprint(fd)] != "/dev/null" {
			t.Errorf("the guard's descriptor %d is %s", fd, guard[fmt.Sprint(fd)])
		}
	}
	// The write end of each control pipe is here and nowhere else.
	for _, p := range []*Process{first, second} {
		control := descriptors(t, p.run.guard)[fmt.Sprint(controlFD)]
		for _, pid := range []int{first.PID(), first.run.guard, second.PID(), second.run.guard} {
			for fd, target := range descriptors(t, pid) {
				if target == control && !(pid == p.run.guard && fd == fmt.Sprint(controlFD)) {
					t.Errorf("process %d has the control pipe of guard %d as %s", pid, p.run.guard, fd)
				}
			}
		}
	}
}

func descriptors(t *testing.T, pid int) map[string]string {
	t.Helper()
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(links) == 0 {
		t.Fatalf("process %d: %v, %v", pid, links, err)
	}
	out := map[string]string{}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil {
			out[filepath.Base(link)] = target
		}
	}
	return out
}

// Starting and stopping leaves nothing open in the app.
func TestAppKeepsNothingOpen(t *testing.T) {
	round := func() {
		p := start(t, selfCommand("exit:0"))
		<-p.Done()
		_ = p.Stdout().Close()
		c := selfCommand()
		c.Path = "/no/such/program"
		if _, err := Start(t.Context(), c); err == nil {
			t.Fatal("started")
		}
	}
	round() // opens what the runtime keeps
	before := len(descriptors(t, os.Getpid()))
	for range 5 {
		round()
	}
	if after := len(descriptors(t, os.Getpid())); after > before {
		t.Errorf("%d descriptors became %d", before, after)
	}
}

// Guard and agent are where the spec has them: the guard leads its session, the agent its group.
func TestSessionAndGroup(t *testing.T) {
	p := start(t, selfCommand("echo"))
	guard, _ := processEntry(p.run.guard)
	agent, _ := processEntry(p.PID())
	if guard.session != guard.PID || agent.session != guard.PID || agent.group != agent.PID || agent.parent != guard.PID {
		t.Errorf("guard %+v, agent %+v", guard, agent)
	}
}

func TestParseStat(t *testing.T) {
	const rest = " S 1 2 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4567 0 0"
	for _, name := range []string{"sh", "a b", ") R 9 9 9", "((", "", "\xff\n"} {
		e, ok := parseStat([]byte("42 (" + name + ")" + rest))
		if want := (entry{ident: ident{42, "4567"}, parent: 1, group: 2, session: 3}); e != want || !ok {
			t.Errorf("%q: %+v, %v", name, e, ok)
		}
	}
	for _, bad := range []string{"", "42", "42 (a) S 1 2", ")(", "x (a)" + rest} {
		if _, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q was taken", bad)
		}
	}
}

// Ten trees at once do not mix up their pipes.
func TestManyAtOnce(t *testing.T) {
	began := time.Now()
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			p := start(t, selfCommand("orphan", "pid", "echo", fmt.Sprintf("exit:%d", i)))
			ids := idents(t, p.Stdout(), 2)
			killAfterwards(t, ids)
			_ = p.Stdin().Close()
			<-p.Done()
			mustBeGone(t, ids)
			if p.Exit().Code != i {
				t.Errorf("exit %+v after %v", p.Exit(), time.Since(began))
			}
		})
	}
}
