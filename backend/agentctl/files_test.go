package agentctl

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kandev/backend/acp"
)

// folderOfTest is a session's folder, reached through a symlink, with things
// inside and outside of it.
func folderOfTest(t *testing.T) (folder, outside string) {
	t.Helper()
	base := t.TempDir()
	real := filepath.Join(base, "real")
	outside = filepath.Join(base, "outside")
	folder = filepath.Join(base, "link")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(real, "sub"), 0o700), os.MkdirAll(outside, 0o700), os.Symlink(real, folder),
		os.WriteFile(filepath.Join(real, "a.txt"), []byte("one\ntwo\nthree"), 0o640),
		os.WriteFile(filepath.Join(real, "binary"), []byte{0xff, 0xfe}, 0o600),
		os.WriteFile(filepath.Join(real, "locked"), []byte("old"), 0o400),
		os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600),
		os.WriteFile(filepath.Join(real, "full"), make([]byte, MaxFile), 0o600),
		os.WriteFile(filepath.Join(real, "large"), make([]byte, MaxFile+1), 0o600),
		os.Symlink(filepath.Join(real, "a.txt"), filepath.Join(real, "inner")),
		os.Symlink(filepath.Join(outside, "secret"), filepath.Join(real, "escape")),
		os.Symlink(filepath.Join(outside, "new"), filepath.Join(real, "dangling")),
		os.Symlink(outside, filepath.Join(real, "out")),
		os.Symlink(filepath.Join(real, "circle"), filepath.Join(real, "circle")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder, outside
}

func TestReadFile(t *testing.T) {
	folder, outside := folderOfTest(t)
	n := func(v uint64) *uint64 { return &v }
	for _, c := range []struct {
		path        string
		line, limit *uint64
		want, fails string
	}{
		{path: folder + "/a.txt", want: "one\ntwo\nthree"},
		{path: folder + "/sub/../a.txt", line: n(2), want: "two\nthree"},
		{path: folder + "/a.txt", line: n(2), limit: n(1), want: "two\n"},
		{path: folder + "/a.txt", limit: n(0), want: ""},
		{path: folder + "/a.txt", line: n(9), limit: n(9), want: ""},
		{path: folder + "/inner", want: "one\ntwo\nthree"},
		{path: folder + "/full", want: strings.Repeat("\x00", MaxFile)},
		{path: folder + "/large", fails: "larger than 10 MiB"},
		{path: folder + "/binary", fails: "not UTF-8"},
		{path: folder + "/sub", fails: "not a regular file"},
		{path: folder + "/none", fails: "does not exist"},
		{path: folder + "/escape", fails: "outside"},
		{path: folder + "/out/secret", fails: "outside"},
		{path: folder + "/out/../../outside/secret", fails: "outside"},
		{path: folder + "/../outside/secret", fails: "outside"},
		{path: folder + "/circle", fails: "outside"},
		{path: outside + "/secret", fails: "outside"},
		{path: "a.txt", fails: "not an absolute path"},
		{path: "", fails: "not an absolute path"},
		{path: os.DevNull, fails: "outside"},
	} {
		got, err := files{folder}.read(t.Context(), acp.ReadFile{Path: c.path, Line: c.line, Limit: c.limit})
		if got != c.want {
			t.Errorf("%s: %.40q", c.path, got)
		}
		checkRefusal(t, c.path, c.fails, err)
	}
}

func checkRefusal(t *testing.T, path, want string, err error) {
	t.Helper()
	switch {
	case want == "" && err == nil:
	case want == "" || err == nil:
		t.Errorf("%s: %v", path, err)
	case !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path):
		t.Errorf("%s: %v", path, err)
	}
}

func TestWriteFile(t *testing.T) {
	folder, outside := folderOfTest(t)
	for _, c := range []struct{ path, content, fails string }{
		{path: folder + "/a.txt", content: "new"},
		{path: folder + "/b.txt", content: ""},
		{path: folder + "/x/y/z.txt", content: "deep"},
		{path: folder + "/inner", content: "through a link"},
		{path: folder + "/a.txt", content: strings.Repeat("x", MaxFile)},
		{path: folder + "/a.txt", content: strings.Repeat("x", MaxFile+1), fails: "larger than 10 MiB"},
		{path: folder + "/sub", content: "x", fails: "not a regular file"},
		{path: folder, content: "x", fails: "not a regular file"},
		{path: folder + "/locked", content: "x", fails: "read-only"},
		{path: folder + "/escape", content: "x", fails: "outside"},
		{path: folder + "/dangling", content: "x", fails: "outside"},
		{path: folder + "/out/new", content: "x", fails: "outside"},
		{path: folder + "/../outside/new", content: "x", fails: "outside"},
		{path: outside + "/secret", content: "x", fails: "outside"},
		{path: "b.txt", content: "x", fails: "not an absolute path"},
	} {
		err := files{folder}.write(t.Context(), acp.WriteFile{Path: c.path, Content: c.content})
		checkRefusal(t, c.path, c.fails, err)
		if c.fails == "" {
			if b, _ := os.ReadFile(c.path); string(b) != c.content {
				t.Errorf("%s: %.40q", c.path, b)
			}
		}
	}
	if info, _ := os.Lstat(folder + "/inner"); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced, not the file")
	}
	if info, _ := os.Stat(folder + "/a.txt"); info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
		t.Errorf("mode %v", info.Mode())
	}
	if b, _ := os.ReadFile(outside + "/secret"); string(b) != "secret" {
		t.Error("the file outside was written")
	}
	left, _ := filepath.Glob(folder + "/.kandev-*")
	if entries, _ := os.ReadDir(outside); len(entries) != 1 || len(left) != 0 {
		t.Errorf("%v, %v", entries, left)
	}
}
