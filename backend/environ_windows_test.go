package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPathAsWindowsWritesIt: Windows calls it Path and compares names without
// case. A program of it is found, and children get all of it.
func TestPathAsWindowsWritesIt(t *testing.T) {
	dir, system := t.TempDir(), t.TempDir()
	tool := filepath.Join(dir, "tool.exe")
	if err := os.WriteFile(tool, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := openApp(t, t.TempDir(), func(o *Options) { o.Environ = []string{"Path=" + dir + ";" + system, "UserProfile=" + dir} })
	p := a.programs(t.Context())
	found, err := p.find("tool")
	if err != nil || found.path != tool || found.place != onPath {
		t.Errorf("%+v, %v", found, err)
	}
	if path := p.childPath(found); !strings.Contains(path, system) {
		t.Errorf("a child's PATH is %q", path)
	}
	if home := a.personHome(); home != dir {
		t.Errorf("the home folder is %q", home)
	}
	if value, ok := a.getenvWith("x")("path"); !ok || value != "x" {
		t.Errorf("another PATH: %q", value)
	}
}
