package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// release is written by the linker (`-X kandev/cli.release=…`, see the Makefile), from what
// build/version.sh reads from the git tag. A program that was built without make has none.
var release = "dev"

// Version is what this program was built as, such as 1.2.3 or 1.2.4-dev.7; "dev" when nobody said.
func Version() string { return release }

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
	return fmt.Sprintf("kandev-desktop %s%s %s %s/%s", release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
