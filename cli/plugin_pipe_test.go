//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPluginFileIsNone: a pipe that nobody writes to, a device and a folder are
// refused at once by every subcommand that reads a file.
func TestPluginFileIsNone(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.wasm")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{pipe, "/dev/zero", t.TempDir()} {
		for _, args := range [][]string{{"inspect", file}, {"call", file, "echo"}, {"install", file}} {
			ended := make(chan string, 1)
			m := newMachine(t)
			go func() {
				code, _, errs := m.run(args...)
				if code != exitUsage {
					errs = "another code: " + errs
				}
				ended <- errs
			}()
			select {
			case errs := <-ended:
				if !strings.HasPrefix(errs, "plugin "+args[0]+": ") || !strings.Contains(errs, "is not a file") {
					t.Errorf("%q: %s", args, errs)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%q hangs", args)
			}
		}
	}
}
