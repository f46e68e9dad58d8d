package app

import (
	"fmt"
	"os"
	"runtime"
)

// envVar is one environment variable that the web view needs.
type envVar struct{ name, value string }

// jscSignals keeps JavaScriptCore from installing SIGSEGV and SIGBUS handlers without SA_ONSTACK:
// with them a nil dereference anywhere in Go kills the process although it would be recovered.
// Both are needed; either alone left most of the measured crashes.
var jscSignals = []envVar{
	{"JSC_usePollingTraps", "1"},
	{"JSC_useWasmFaultSignalHandler", "0"},
}

// nvidiaBlank works round the blank window of WebKitGTK's DMABUF renderer on NVIDIA's driver.
var nvidiaBlank = envVar{"WEBKIT_DISABLE_DMABUF_RENDERER", "1"}

// nvidiaModule exists while NVIDIA's own kernel driver is loaded.
const nvidiaModule = "/sys/module/nvidia"

// webEnv lists what to set for the web view on this system. A variable that the person has set,
// to whatever value, is theirs and is left out.
func webEnv(goos string, lookup func(string) (string, bool), exists func(string) bool) []envVar {
	if goos != "linux" {
		return nil
	}
	wanted := append([]envVar(nil), jscSignals...)
	if exists(nvidiaModule) {
		wanted = append(wanted, nvidiaBlank)
	}
	var missing []envVar
	for _, v := range wanted {
		if _, set := lookup(v.name); !set {
			missing = append(missing, v)
		}
	}
	return missing
}

// applyWebEnv sets the web view's environment and returns the names that it set, so that children
// do not get them. It must run before wails.Run, once, while no other goroutine reads the
// environment; capture os.Environ() for children before it.
func applyWebEnv() ([]string, error) {
	var names []string
	for _, v := range webEnv(runtime.GOOS, os.LookupEnv, pathExists) {
		if err := os.Setenv(v.name, v.value); err != nil {
			return names, fmt.Errorf("set %s for the web view: %w", v.name, err)
		}
		names = append(names, v.name)
	}
	return names, nil
}

// pathExists reports whether something is at path; any error counts as absent.
func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
