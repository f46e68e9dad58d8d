//go:build linux || darwin

package proc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLookPath(t *testing.T) {
	root := t.TempDir()
	file := func(dir, name string, mode os.FileMode) string {
		path := filepath.Join(root, dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := file("a", "tool", 0o600)
	tool := file("Ünï côde dir", "tool", 0o700)
	file("c", "tool", 0o700)
	file("a", "only plain", 0o600)
	file("a/folder", "x", 0o700)
	path := strings.Join([]string{"", ".", "relative", filepath.Join(root, "none"), filepath.Join(root, "a"), filepath.Dir(tool), filepath.Join(root, "c")}, ":")
	for _, test := range []struct {
		name, path, want string
		err              error
	}{
		{"tool", path, tool, nil},
		{tool, "", tool, nil},
		{"only plain", path, "", ErrNotExecutable},
		{plain, path, "", ErrNotExecutable},
		{"folder", path, "", ErrNotFound},
		{"none", path, "", ErrNotFound},
		{"tool", "", "", ErrNotFound},
		{"", path, "", ErrNotFound},
		{"./tool", path, "", ErrNotFound},
		{"lookpath_test.go", ":.", "", ErrNotFound},
	} {
		got, err := LookPath(test.name, test.path)
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%q: %q, %v", test.name, got, err)
		}
	}
}
