package backend

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kandev/backend/session"
)

// TestBearerOnNoCommandLine: however the bearer travels, the agent's client is
// let in by it, and no process of the machine has it among its arguments.
func TestBearerOnNoCommandLine(t *testing.T) {
	for _, manner := range []string{mannerPlain, mannerEnv, mannerPath, mannerBridge} {
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(manner, "bearer")
			a.inState(id, session.Ready)
			a.active(id)
			var bearer []byte
			a.until("the agent wrote its bearer down", func() bool {
				bearer, _ = os.ReadFile(filepath.Join(a.folder(id), "bearer"))
				return len(bearer) == 43 && a.row(id).State == string(session.Ready)
			})
			seen := 0
			lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range lines {
				line, err := os.ReadFile(name)
				if err != nil {
					continue // it has ended meanwhile
				}
				if bytes.Contains(line, []byte("fake\x00"+manner)) || bytes.Contains(line, []byte("mcp-bridge\x00http")) {
					seen++
				}
				if bytes.Contains(line, bearer) {
					t.Errorf("the bearer stands on a command line: %q", bytes.Split(line, []byte{0})[:2])
				}
			}
			want := 1 // the guard has none of its arguments
			if manner == mannerBridge {
				want++
			}
			if seen < want {
				t.Errorf("only %d processes were seen", seen)
			}
		})
	}
}
