//go:build linux || darwin

package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func script(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVersion: the npm package says it without a process; other programs are
// run once, until their file changes, each in the same folder; one that says
// nothing has none; one that hangs does not hold up the end of the app, and is
// given up.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	a := openApp(t, t.TempDir())
	known := func(path string) string {
		t.Helper()
		var number string
		a.until("the version of "+filepath.Base(path), func() bool {
			n, pending := a.version(program{path: path, place: onPath}, programs{})
			number = n
			return !pending
		})
		return number
	}
	pack := filepath.Join(dir, "lib", "node_modules", "@x", "tool")
	script(t, filepath.Join(pack, "dist", "index.js"), "echo wrong 9.9.9")
	if err := os.WriteFile(filepath.Join(pack, "package.json"), []byte(`{"name":"@x/tool","version":"0.36.0-beta.1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "tool")
	if err := os.Symlink(filepath.Join(pack, "dist", "index.js"), link); err != nil {
		t.Fatal(err)
	}
	if number, pending := a.version(program{path: link, place: onPath}, programs{}); number != "0.36.0-beta.1" || pending {
		t.Errorf("of a package: %q, pending %v", number, pending)
	}
	runs := filepath.Join(dir, "runs")
	plain := script(t, filepath.Join(dir, "plain"), "echo run >> '"+runs+"'; echo banner; echo plain v1.18.33 'build 7'")
	if number, pending := a.version(program{path: plain, place: onPath}, programs{}); number != "" || !pending {
		t.Errorf("the first look: %q, pending %v", number, pending)
	}
	for range 3 {
		if got := known(plain); got != "1.18.33" {
			t.Errorf("of a program: %q", got)
		}
	}
	if text, _ := os.ReadFile(runs); string(text) != "run\n" {
		t.Errorf("it was run: %q", text)
	}
	folders := filepath.Join(dir, "folders")
	for _, number := range []string{"1.19.0", "1.20.0-beta"} { // of another length each
		script(t, plain, "pwd >> '"+folders+"'; echo plain is larger than before "+number)
		if got := known(plain); got != number {
			t.Errorf("after an update: %q", got)
		}
	}
	text, _ := os.ReadFile(folders)
	if ran := strings.Fields(string(text)); len(ran) != 2 || ran[0] != ran[1] {
		t.Errorf("it ran in %q", ran)
	}
	if got := known(script(t, filepath.Join(dir, "mute"), "exit 3")); got != "" {
		t.Errorf("of a mute one: %q", got)
	}
	hangs := script(t, filepath.Join(dir, "hangs"), "exec sleep 60")
	if _, pending := a.version(program{path: hangs, place: onPath}, programs{}); !pending {
		t.Error("one that hangs is known at once")
	}
	a.quit()
	a = openApp(t, t.TempDir(), func(o *Options) { o.versionWait = 100 * time.Millisecond })
	if got := known(hangs); got != "" {
		t.Errorf("of one that hangs: %q", got)
	}
}
