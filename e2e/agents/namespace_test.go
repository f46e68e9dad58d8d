//go:build linux

package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// insideLimit bounds everything that one agent does.
const insideLimit = 6 * time.Minute

// isolated is a command in a network namespace of its own, which has no way
// out. It needs no privilege where users may make namespaces.
func isolated(ctx context.Context, env []string, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Setpgid:     true,
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// needNamespaces skips where the system refuses namespaces; a CI must have them.
func needNamespaces(t *testing.T) {
	t.Helper()
	err := isolated(t.Context(), nil, "/bin/true").Run()
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("agents run offline only in a network namespace, and this system refuses one: %v", err)
	default:
		t.Skipf("this system refuses a network namespace (%v); agents are not run with a network", err)
	}
}

// loopbackUp brings up the only interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}

// runInside runs TestInside for one agent in its namespace and returns what the
// test printed.
func runInside(t *testing.T, env []string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), insideLimit+longQuestion())
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	limit := fmt.Sprintf("-test.timeout=%s", insideLimit+longQuestion()-10*time.Second)
	cmd := isolated(ctx, env, self, "-test.run=^TestInside$", "-test.v", "-test.count=1", limit)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if ctx.Err() != nil {
		err = errors.Join(err, fmt.Errorf("not done within %s", insideLimit))
	}
	return out.Bytes(), err
}
