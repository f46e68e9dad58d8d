package timelimit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rows are the table as the specification words it.
var rows = []struct {
	words string
	limit time.Duration
}{
	{"initialize 60 s", Initialize},
	{"after 5 s", StillStarting},
	{"authenticate 5 min", Authenticate},
	{"new, load, reset 2 min", Session},
	{"cancel 10 s", Cancel},
	{"tool handler 60 s", ToolHandler},
	{"question 2 h", Question},
	{"plugin call 30 s", PluginCall},
	{"HTTP header 10 s", HTTPHeader},
	{"body 30 s", HTTPBody},
	{"write 30 s", HTTPWrite},
	{"login-shell environment 5 s", LoginShell},
	{"version probe 5 s", VersionProbe},
	{"quit 10 s", Quit},
}

var units = strings.NewReplacer(" min", "m", " s", "s", " h", "h")

// TestTable: each limit is what its row says, and the rows are those of the
// specification where it can be read.
func TestTable(t *testing.T) {
	spec := specification()
	for _, row := range rows {
		words := strings.Fields(row.words)
		value := units.Replace(strings.Join(words[len(words)-2:], " "))
		if want, err := time.ParseDuration(value); err != nil || want != row.limit {
			t.Errorf("%s: %v, %v", row.words, row.limit, err)
		}
		// "5 s" stands there as "5", behind a limit in seconds.
		if spec != "" && !strings.Contains(spec, row.words) && !strings.Contains(spec, strings.TrimSuffix(row.words, " s")+")") {
			t.Errorf("the specification has no %q", row.words)
		}
	}
	if n := strings.Count(spec, "·") + 1; spec != "" && n+3 != len(rows) { // after 5, and the three of HTTP, share theirs
		t.Errorf("the specification has %d rows", n)
	}
}

// specification is the section of the table, "" where the shared folder is not
// there: KANDEV_SHARED names it, or it is beside a folder above.
func specification() string {
	shared := os.Getenv("KANDEV_SHARED")
	for dir, _ := os.Getwd(); shared == "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if beside := filepath.Join(filepath.Dir(dir), "shared"); isFolder(beside) {
			shared = beside
		}
	}
	text, err := os.ReadFile(filepath.Join(shared, "spec", "agents.md"))
	if err != nil {
		return ""
	}
	_, section, _ := strings.Cut(string(text), "## Time limits")
	return section
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
