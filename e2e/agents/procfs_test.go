//go:build linux

package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process is a running one of this namespace.
type process struct {
	pid, parent int
	state       string // Z has ended and waits to be taken note of
	command     string
}

func (p process) String() string { return fmt.Sprintf("%d(%s) %.120q", p.pid, p.state, p.command) }

// inNamespace are the processes that share our network namespace, without this
// one: everything that the app started here, whatever became of its parents.
func inNamespace() (out []process) {
	mine, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		return nil
	}
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	for _, dir := range entries {
		ns, err := os.Readlink(dir + "/ns/net")
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if err != nil || ns != mine || pid == os.Getpid() {
			continue
		}
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue // gone
		}
		p := process{pid: pid}
		_, _ = fmt.Sscanf(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), "%s %d", &p.state, &p.parent)
		if p.state == "Z" || p.state == "X" {
			continue
		}
		command, err := os.ReadFile(dir + "/cmdline")
		if err == nil {
			p.command = strings.ReplaceAll(strings.TrimRight(string(command), "\x00"), "\x00", " ")
			out = append(out, p)
		}
	}
	return out
}

// listening are the ports of this namespace that something listens on.
func listening() (out []string) {
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" {
				_, port, _ := strings.Cut(f[1], ":")
				n, _ := strconv.ParseUint(port, 16, 16)
				out = append(out, strconv.FormatUint(n, 10))
			}
		}
	}
	return out
}
