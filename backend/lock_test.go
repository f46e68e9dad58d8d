package backend

import (
	"errors"
	"os"
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
