//go:build unix

package tokens

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The TestFigure functions measure what we promise and append "name value unit"
// lines to the file that KANDEV_FIGURES names; make figures collects them.

func figures(t *testing.T) {
	t.Helper()
	if os.Getenv("KANDEV_FIGURES") == "" {
		t.Skip("KANDEV_FIGURES is not set")
	}
}

func figure(t *testing.T, name string, value float64, unit string) {
	t.Helper()
	f, err := os.OpenFile(os.Getenv("KANDEV_FIGURES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%s %.2f %s\n", name, value, unit); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %.2f %s", name, value, unit)
}

func atMost(t *testing.T, name string, value, limit float64, unit string) {
	t.Helper()
	figure(t, name, value, unit)
	if value > limit {
		t.Errorf("%s is %.2f, more than %.2f", name, value, limit)
	}
}

func atLeast(t *testing.T, name string, value, limit float64, unit string) {
	t.Helper()
	figure(t, name, value, unit)
	if value < limit {
		t.Errorf("%s is %.2f, less than %.2f", name, value, limit)
	}
}

// cpuTime is that of the process. The processors are shared, so wall time says
// little.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func cpuOf(work func()) time.Duration {
	start := cpuTime()
	work()
	return cpuTime() - start
}

// TestFigureCPURatio passes over all tools again and again. What was counted is
// forgotten before each pass. The short pieces of the first pass are remembered,
// as between tools of one list; the second figure is without that.
func TestFigureCPURatio(t *testing.T) {
	figures(t)
	tools := realTools(t)
	c := newCounter(t)
	pass := func(count func(string) int, prepare func()) time.Duration {
		prepare()
		return cpuOf(func() {
			for _, v := range tools {
				count(v.JSON)
			}
		})
	}
	forget := func() { c.cache = cache{} }
	forgetPieces := func() {
		forget()
		runtime.GC() // a pool lives through one
		runtime.GC()
	}
	steady, cold := 0.0, 0.0
	for range 3 {
		module := pass(func(text string) int { return moduleCount(t, text) }, runtime.GC)
		again, first := time.Hour, time.Hour
		for range 5 {
			first = min(first, pass(c.Count, forgetPieces))
			again = min(again, pass(c.Count, forget))
		}
		t.Logf("module %v, ours %v, cold %v", module, again, first)
		steady, cold = max(steady, float64(module)/float64(again)), max(cold, float64(module)/float64(first))
	}
	figure(t, "tokens_cpu_ratio_cold", cold, "ratio")
	atLeast(t, "tokens_cpu_ratio", steady, 13, "ratio")
}

func TestFigureAllocs(t *testing.T) {
	figures(t)
	c := newCounter(t)
	most := 0.0
	for _, v := range realTools(t) {
		most = max(most, testing.AllocsPerRun(3, func() {
			c.cache = cache{}
			c.Count(v.JSON)
		}))
	}
	atMost(t, "tokens_allocs", most, 0, "allocations")
}

// One piece of 1 MiB against one of 64 KiB, time for each byte.
func TestFigureGiantRatio(t *testing.T) {
	figures(t)
	const large, little = 1 << 20, 64 << 10
	random := rand.New(rand.NewPCG(1, 2))
	v := newCounter(t).vocabulary
	worst := 0.0
	for name, text := range map[string][]byte{
		"a":       []byte(strings.Repeat("a", large)),
		"space":   []byte(strings.Repeat(" ", large)),
		"letters": letters(random, large, "abcdefghijklmnopqrstuvwxyz"),
	} {
		var few, many []float64
		for range 7 {
			few = append(few, 16*float64(cpuOf(func() { v.count(text[:little]) })))
			many = append(many, float64(cpuOf(func() { v.count(text) })))
		}
		ratio := slices.Min(many) / slices.Min(few)
		t.Logf("%s: %.0f ns a byte, ratio %.2f", name, slices.Min(many)/large, ratio)
		worst = max(worst, ratio)
	}
	atMost(t, "tokens_giant_ratio", worst, 2, "ratio")
}
