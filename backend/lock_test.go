package backend

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A second lock of one folder names who has the first; another folder is free,
// and so is the same one after the release.
// Case 74.
func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	release, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lockFolder(dir)
	if held, ok := errors.AsType[*HeldError](err); !ok || held.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
	other, err := lockFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other()
	release()
	again, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// A folder in which no lock could be made is locked all the same, also against
// one who can make it later.
func TestLockFolderThatWasReadOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders have no locks there")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	if err := os.Symlink(filepath.Join(dir, "none", "x"), path); err != nil { // a file that cannot be made
		t.Fatal(err)
	}
	release, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := lockFolder(dir); !errors.As(err, new(*HeldError)) {
		t.Errorf("a second app has it: %v", err)
	}
	release()
	again, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
