//go:build unix

package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kandev/backend/session"
)

// Rights that are missing are told apart: the file may not be read, may not be
// written, or stands in a folder that takes no WAL. Root has all rights, so the
// test opens as somebody else then.
func TestMissingRights(t *testing.T) {
	root := t.TempDir()
	binary := os.Args[0]
	if os.Getuid() == 0 {
		binary = filepath.Join(root, "test")
		if out, err := exec.Command("cp", os.Args[0], binary).CombinedOutput(); err != nil {
			t.Fatal(string(out))
		}
		for dir := root; dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name         string
		folder, file os.FileMode
		want         string
	}{
		{"all", 0o700, 0o600, "open <nil>"},
		{"file", 0o700, 0o000, "unreadable"},
		{"writing", 0o700, 0o400, "read-only"},
		{"folder", 0o500, 0o600, "read-only"},
		{"both", 0o500, 0o400, "read-only"},
		{"passage", 0o000, 0o600, "unreadable"},
	} {
		folder := filepath.Join(root, c.name)
		path := filepath.Join(folder, "kandev.db")
		closed(t, openAt(t, path, Options{}))
		cmd := child(t, "open", path)
		cmd.Path = binary
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			if err := errors.Join(os.Chown(path, 65534, 65534), os.Chown(folder, 65534, 65534)); err != nil {
				t.Skip(err)
			}
		}
		if err := errors.Join(os.Chmod(path, c.file), os.Chmod(folder, c.folder)); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.Output()
		if got := strings.TrimSpace(string(out)); got != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
		_ = os.Chmod(folder, 0o700) // so that it can be cleaned up
	}
}

func TestNotAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrUnreadable) {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(path, "a\x00b"), Options{}); err == nil {
		t.Error("no error")
	}
}

// smallDisk mounts a file system of 1 MB, or skips.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("cannot mount: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return folder
}

// A disk that is full: a sentence, what was stored is kept, and it goes on
// when there is room again.
func TestFullDisk(t *testing.T) {
	folder := smallDisk(t, "size=1m")
	path := filepath.Join(folder, "kandev.db")
	db := openAt(t, path, Options{})
	t.Cleanup(func() { _ = db.closePools() })
	save(t, db, newSession("s_1"))
	stored := fillUp(t, db)
	if items := must(db.Transcript(t.Context(), "s_1", 0, 0))(t); len(items) != stored {
		t.Errorf("stored %d, kept %d", stored, len(items))
	}
	if out, err := exec.Command("mount", "-o", "remount,size=8m", folder).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
	save(t, db, Change{ID: "s_1", Items: []session.Item{{Number: 1 << 20, Revision: 1 << 20}}})
	closed(t, db)
}

// A disk that is full before the app starts.
func TestOpenOnFullDisk(t *testing.T) {
	folder := smallDisk(t, "size=64k")
	f, err := os.Create(filepath.Join(folder, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	_ = f.Close() // ENOSPC is what it is for
	if _, err := Open(t.Context(), filepath.Join(folder, "kandev.db"), Options{}); !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	folder := smallDisk(t, "size=1m")
	path := filepath.Join(folder, "kandev.db")
	closed(t, openAt(t, path, Options{}))
	if out, err := exec.Command("mount", "-o", "remount,ro", folder).CombinedOutput(); err != nil {
		t.Skipf("cannot remount: %s", out)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(folder, "new", "kandev.db"), Options{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("%v", err)
	}
}

// The stand-in for machines that cannot mount: the same SQLITE_FULL.
func TestFullFile(t *testing.T) {
	db := openAt(t, filepath.Join(t.TempDir(), "kandev.db"), Options{maxPages: 80})
	save(t, db, newSession("s_1"))
	stored := fillUp(t, db)
	if items := must(db.Transcript(t.Context(), "s_1", 0, 0))(t); len(items) != stored {
		t.Errorf("stored %d, kept %d", stored, len(items))
	}
	if err := db.DeleteSession(t.Context(), "s_1"); err != nil { // this makes room
		t.Error(err)
	}
	save(t, db, newSession("s_2"))
}

// fillUp stores items until the disk is full and returns how many were stored.
func fillUp(t *testing.T, db *DB) int {
	t.Helper()
	for n := range int64(1000) {
		item := session.Item{Number: n, Revision: n + 1, Text: strings.Repeat("x", 10_000)}
		_, err := db.SaveSession(t.Context(), Change{ID: "s_1", Items: []session.Item{item}})
		if errors.Is(err, ErrFull) {
			return int(n)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("it never got full")
	return 0
}
