package wasm

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kandev/backend/plugin"
)

// Figures of issue 5, appended as "name value unit" to the file that
// KANDEV_FIGURES names; `make figures` collects them.

const idleVariable = "KANDEV_WASM_IDLE" // a package's module: the child prints what it adds

func figure(t *testing.T, name string, value float64, unit string, most float64) {
	t.Helper()
	f, err := os.OpenFile(os.Getenv("KANDEV_FIGURES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %.3g %s\n", name, value, unit)
	t.Logf("%s %.3g %s", name, value, unit)
	if value > most {
		t.Errorf("%s is %.3g %s, at most %g", name, value, unit, most)
	}
}

func needsFigures(t *testing.T) {
	t.Helper()
	if os.Getenv("KANDEV_FIGURES") == "" {
		t.Skip("KANDEV_FIGURES is not set")
	}
}

// median is the p50 of a call with 1 KiB of arguments, in milliseconds; the best
// of three runs.
func median(t *testing.T, p *Plugin, tool, key string) float64 {
	t.Helper()
	arguments := json.RawMessage(`{"` + key + `":"` + strings.Repeat("x", 1024) + `"}`)
	best := 1e9
	for range 3 {
		var times []float64
		for range 200 {
			start := time.Now()
			if _, fail := p.Call(t.Context(), tool, arguments); fail != nil {
				t.Fatal(fail)
			}
			times = append(times, float64(time.Since(start).Microseconds())/1000)
		}
		slices.Sort(times)
		best = min(best, times[len(times)/2])
	}
	return best
}

func helloOptions(t testing.TB) Options {
	pkg := helloPackage(t)
	return Options{
		Manifest: pkg.Manifest, Grant: pkg.Manifest.Permissions.Granted(),
		Module: func() ([]byte, error) { return pkg.Wasm, nil },
	}
}

func TestFigurePluginCalls(t *testing.T) {
	needsFigures(t)
	p, err := Open(helloOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	figure(t, "plugin_call_ms_go", median(t, p, "hello", "name"), "ms", 3)
	small := opened(t, guestOf("describe", "call", echo()).Wasm(), nil)
	figure(t, "plugin_call_ms_small", median(t, small, "echo", "text"), "ms", 0.5)
}

func TestFigurePluginIdle(t *testing.T) {
	needsFigures(t)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("RSS is read from /proc")
	}
	file := filepath.Join(t.TempDir(), "plugin.wasm")
	if err := os.WriteFile(file, hello(t), 0o600); err != nil {
		t.Fatal(err)
	}
	best, most := 1e9, 1e9
	for range 3 { // while it is idle, and not in the minute after a call: see Options.Idle
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), idleVariable+"="+file)
		out, err := cmd.CombinedOutput()
		var idle, loaded float64
		if _, err2 := fmt.Sscan(string(out), &idle, &loaded); err != nil || err2 != nil {
			t.Fatalf("%v: %s", err, out)
		}
		best, most = min(best, idle), min(most, loaded)
	}
	figure(t, "plugin_idle_mb", best, "MB", 25)
	figure(t, "plugin_loaded_mb", most, "MB", 120)
}

// idle loads the example, calls it once and says how much more memory the
// process holds than before, in MB: when it has unloaded, and right after the
// call.
func idle(file string) string {
	resident := func() float64 {
		debug.FreeOSMemory()
		status, _ := os.ReadFile("/proc/self/status")
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		n, _ := strconv.ParseFloat(kb, 64)
		return n / 1024
	}
	before := resident()
	sum := ""
	o := Options{Module: func() ([]byte, error) {
		wasm, err := os.ReadFile(file)
		return wasm, err
	}}
	if wasm, err := o.Module(); err == nil {
		p, _ := plugin.Read(wasm)
		sum = p.SHA256
	}
	o.Manifest = plugin.Manifest{ID: "hello", Wasm: plugin.Module{SHA256: sum}, Tools: []plugin.Tool{{Name: "hello"}}}
	p, err := Open(o)
	if err != nil {
		return err.Error()
	}
	defer p.Close()
	if _, fail := p.Call(context.Background(), "hello", json.RawMessage(`{"name":"x"}`)); fail != nil {
		return fail.Line
	}
	loaded := resident() - before
	p.Unload()
	return fmt.Sprintf("%.1f %.1f", resident()-before, loaded)
}
