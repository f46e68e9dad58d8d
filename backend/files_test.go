package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// TestAgentFiles: an agent reads and writes in its session's folder, and
// nowhere else.
func TestAgentFiles(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	path := filepath.Join(a.folder(id), "made.txt")
	for _, c := range []struct{ prompt, want string }{
		{fmt.Sprintf(`file write {"path":%q,"content":"written"}`, path), "file :"},
		{fmt.Sprintf(`file read {"path":%q}`, path), "file written"},
		{fmt.Sprintf(`file read {"path":%q}`, filepath.Join(a.Home(), sqlite.FileName)), filepath.Join(a.Home(), sqlite.FileName) + " is outside of the session's folder."},
	} {
		a.inState(id, session.Ready)
		a.say(id, c.prompt)
		a.said(id, c.want)
	}
	if b, err := os.ReadFile(path); string(b) != "written" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
