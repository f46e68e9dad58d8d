package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// Version is this release's number, the same as in wails.json; layers_test.go in the root compares
// them. It changes in the commit that begins a release.
const Version = "0.1.0"

// version prints one line: name, release, commit when the build knows it, Go and platform.
func version([]string) int {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintln(os.Stdout, versionLine(info))
	return exitDone
}

// versionLine takes what the build recorded; info may be nil.
func versionLine(info *debug.BuildInfo) string {
	commit := ""
	if info != nil {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = " " + s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("kandev-desktop %s%s %s %s/%s", Version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
