package backend

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// idleAfter is how long the program rests before it is weighed: what the start needed is given back by then.
const idleAfter = 6 * time.Second

// TestFigureIdle weighs the packaged program with its web view while nothing happens and no agent runs: the
// proportional share of memory (PSS) of all its processes. Runs under `make figures`.
func TestFigureIdle(t *testing.T) {
	out, bin := os.Getenv("KANDEV_FIGURES"), os.Getenv("KANDEV_PACKAGED")
	if out == "" || bin == "" {
		t.Skip("runs under `make figures`")
	}
	display, home := virtualDisplay(t), t.TempDir()
	prepare(t, home, 0)
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "KANDEV_HOME="+home, "DISPLAY="+display)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	<-time.After(idleAfter) // it says nothing when it has come to rest
	var sum float64
	pids := append(below(t, cmd.Process.Pid), cmd.Process.Pid)
	for _, pid := range pids {
		sum += pss(t, pid)
	}
	if len(pids) < 3 {
		t.Fatalf("%d processes: the web view has two of its own", len(pids))
	}
	appendFigure(t, out, "idle_pss_mb", sum, "MB")
}

// below lists the processes below one, by /proc.
func below(t *testing.T, pid int) []int {
	t.Helper()
	var all []int
	lists, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "children"))
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // that thread has ended
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), below(t, child)...)
			}
		}
	}
	return all
}

// pss is a process's share of memory in MB.
func pss(t *testing.T, pid int) float64 {
	t.Helper()
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "smaps_rollup"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if value, ok := strings.CutPrefix(s.Text(), "Pss:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(value)[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb * 1024 / 1e6
		}
	}
	t.Fatal("no Pss")
	return 0
}
