package doctor

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/proc"
	"kandev/backend/secret"
	"kandev/backend/sqlite"
)

// healthy is a machine on which nothing is missing, with a data folder of its own.
func healthy(t *testing.T) (Options, map[string]string) {
	t.Helper()
	home := t.TempDir()
	bin := t.TempDir()
	for _, name := range []string{"git", "git.exe", "there", "there.exe"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/false\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"DISPLAY": "elsewhere:0"}
	return Options{
		Home: home, Version: "1.2.3", Getenv: func(name string) string { return env[name] }, Path: bin,
		Find:     func(name string) (string, error) { return proc.LookPath(name, bin) },
		Running:  func(string) (string, error) { return "", errors.New("nobody") },
		Holder:   func(string) int { return 0 },
		Keychain: func(context.Context) secret.Place { return secret.Keychain },
		goos:     runtime.GOOS,
		free:     func(string) (uint64, error) { return 10 << 30, nil },
		agents: []agent.Definition{
			{ID: "toolbench", Name: "Toolbench", Embedded: true},
			{ID: "here", Name: "Here", Command: "there", Install: "x"},
			{ID: "absent", Name: "Absent", Command: "absent-kandev", Install: "npm install -g absent"},
		},
	}, env
}

func database(t *testing.T, home string) string {
	t.Helper()
	path := filepath.Join(home, sqlite.FileName)
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return path
}

func byID(t *testing.T, all []Finding, id string) Finding {
	t.Helper()
	for _, f := range all {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("nothing about %s: %+v", id, all)
	return Finding{}
}

// TestFindings: each thing that can be wrong, what is said of it and whether the app could work without.
func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, o *Options, env map[string]string)
		id     string
		state  State
		says   string // a part of detail and fix
	}{
		"no display":       {func(_ *testing.T, o *Options, env map[string]string) { o.goos = "linux"; delete(env, "DISPLAY") }, "display", Missing, "xvfb-run"},
		"dead display":     {func(_ *testing.T, o *Options, env map[string]string) { o.goos = "linux"; env["DISPLAY"] = ":65000" }, "display", Missing, ":65000"},
		"remote display":   {func(_ *testing.T, o *Options, _ map[string]string) { o.goos = "linux" }, "display", Note, "elsewhere:0"},
		"display of a Mac": {func(_ *testing.T, o *Options, env map[string]string) { o.goos = "darwin"; delete(env, "DISPLAY") }, "display", OK, ""},
		"no web view": {func(t *testing.T, o *Options, _ map[string]string) {
			o.goos, o.maps = "linux", filepath.Join(t.TempDir(), "maps")
		}, "web_view", Missing, "libwebkit2gtk-4.1-0"},
		"new folder":   {func(_ *testing.T, o *Options, _ map[string]string) { o.Home = filepath.Join(o.Home, "a", "b") }, "data_folder", OK, "first start makes it"},
		"a file":       {func(t *testing.T, o *Options, _ map[string]string) { o.Home = database(t, o.Home) }, "data_folder", Missing, "is no folder"},
		"below a file": {func(t *testing.T, o *Options, _ map[string]string) { o.Home = filepath.Join(database(t, o.Home), "x") }, "data_folder", Missing, "KANDEV_HOME"},
		"full disk": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.free = func(string) (uint64, error) { return 1 << 20, nil }
		}, "disk", Missing, "1 MB are free"},
		"nearly full": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.free = func(string) (uint64, error) { return 100 << 20, nil }
		}, "disk", Note, "Free some space"},
		"unknown disk": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.free = func(string) (uint64, error) { return 0, os.ErrInvalid }
		}, "disk", Note, "not known"},
		"no database": {func(*testing.T, *Options, map[string]string) {}, "database", OK, "first start"},
		"database":    {func(t *testing.T, o *Options, _ map[string]string) { database(t, o.Home) }, "database", OK, "Schema"},
		"damaged database": {func(t *testing.T, o *Options, _ map[string]string) {
			write(t, database(t, o.Home), bytes.Repeat([]byte("x"), 9000))
		}, "database", Missing, "sets it aside"},
		"newer database": {newer, "database", Missing, "Install the newer version"},
		"older database": {func(t *testing.T, o *Options, _ map[string]string) {
			write(t, filepath.Join(o.Home, sqlite.FileName), nil)
		}, "database", OK, "keeps a backup"},
		"it runs":         {func(_ *testing.T, o *Options, _ map[string]string) { o.Running = says("1.2.3") }, "running", OK, "is running"},
		"another version": {func(_ *testing.T, o *Options, _ map[string]string) { o.Running = says("1.0.0") }, "running", Note, "1.0.0 is running with this data folder; this program is 1.2.3"},
		"hangs":           {func(_ *testing.T, o *Options, _ map[string]string) { o.Holder = func(string) int { return 77 } }, "running", Missing, "77"},
		"no git":          {func(_ *testing.T, o *Options, _ map[string]string) { o.Path = "" }, "git", Note, "worktree"},
		"embedded agent":  {func(*testing.T, *Options, map[string]string) {}, "agent.toolbench", OK, "comes with the app"},
		"agent":           {func(*testing.T, *Options, map[string]string) {}, "agent.here", OK, "there"},
		"absent agent":    {func(*testing.T, *Options, map[string]string) {}, "agent.absent", Note, "npm install -g absent"},
		"no keychain": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.Keychain = func(context.Context) secret.Place { return secret.File }
		}, "keychain", Note, "unencrypted"},
		"no keychain of a Mac": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.goos = "darwin"
			o.Keychain = func(context.Context) secret.Place { return secret.File }
		}, "keychain", Note, "Keychain Access"},
		"no keychain of Windows": {func(_ *testing.T, o *Options, _ map[string]string) {
			o.goos = "windows"
			o.Keychain = func(context.Context) secret.Place { return secret.File }
		}, "keychain", Note, "Credential Manager"},
		"keychain off":      {func(_ *testing.T, _ *Options, env map[string]string) { env["KANDEV_KEYCHAIN"] = "off" }, "keychain", Note, "KANDEV_KEYCHAIN=off"},
		"keychain":          {func(*testing.T, *Options, map[string]string) {}, "keychain", OK, "keychain of this system"},
		"readable by other": {func(t *testing.T, o *Options, _ map[string]string) { open(t, o) }, "data_folder", Note, "chmod 700"},
	} {
		t.Run(name, func(t *testing.T) {
			o, env := healthy(t)
			c.change(t, &o, env)
			f := byID(t, Examine(t.Context(), o), c.id)
			if f.State != c.state || !strings.Contains(f.Detail+" "+f.Fix, c.says) {
				t.Errorf("%+v, want %s with %q", f, c.state, c.says)
			}
			if f.State != OK && f.Fix == "" && name != "remote display" && name != "unknown disk" { // of those nothing is known to be wrong
				t.Errorf("no way to repair it: %+v", f)
			}
		})
	}
}

func says(version string) func(string) (string, error) {
	return func(string) (string, error) { return version, nil }
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// newer sets the version of the schema in SQLite's header.
func newer(t *testing.T, o *Options, _ map[string]string) {
	path := database(t, o.Home)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[60:64], []byte{0, 0, 2, 188})
	write(t, path, b)
}

func open(t *testing.T, o *Options) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access lists instead of modes")
	}
	if err := os.Chmod(o.Home, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsLeft: an examination leaves the folder as it was, also one of a running app's.
func TestNothingIsLeft(t *testing.T) {
	o, _ := healthy(t)
	path := database(t, o.Home)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all := Examine(t.Context(), o); Failed(all) && runtime.GOOS != "linux" { // a test of Linux has no web view
		t.Errorf("a healthy machine: %+v", all)
	}
	after, err := os.ReadFile(path)
	if entries, _ := os.ReadDir(o.Home); err != nil || len(entries) != 1 || !bytes.Equal(before, after) {
		t.Errorf("left: %v, %v", entries, err)
	}
	o.Home = filepath.Join(o.Home, "new")
	Examine(t.Context(), o)
	if _, err := os.Stat(o.Home); err == nil {
		t.Error("the data folder was made")
	}
}

// TestLiveDisplay: a socket that somebody listens on is one, X11 and Wayland.
func TestLiveDisplay(t *testing.T) {
	o, env := healthy(t)
	o.goos = "linux"
	socket := filepath.Join(t.TempDir(), "wayland-7")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip("no sockets in files here: ", err)
	}
	defer l.Close()
	env["DISPLAY"], env["WAYLAND_DISPLAY"], env["XDG_RUNTIME_DIR"] = "", "wayland-7", filepath.Dir(socket)
	if f := o.display(t.Context()); f.State != OK {
		t.Errorf("%+v", f)
	}
	env["WAYLAND_DISPLAY"] = "wayland-8"
	if f := o.display(t.Context()); f.State != Missing {
		t.Errorf("%+v", f)
	}
	for display, want := range map[string]string{":0": "/tmp/.X11-unix/X0", ":1.0": "/tmp/.X11-unix/X1", "unix:2": "/tmp/.X11-unix/X2"} {
		if got, local := xSocket(display); got != want || !local {
			t.Errorf("%s: %s, %v", display, got, local)
		}
	}
	if _, local := xSocket("host:0"); local {
		t.Error("another machine's display is local")
	}
}

func TestLoadedLibrary(t *testing.T) {
	o, _ := healthy(t)
	o.maps = filepath.Join(t.TempDir(), "maps")
	write(t, o.maps, []byte("7f00 r-xp 0 08:01 1 /usr/lib/libc.so.6\n7f01 r-xp 0 08:01 2                    /opt/a b/libwebkit2gtk-4.1.so.0.19.9\n"))
	if got := o.loaded("libwebkit2gtk-4.1.so"); got != "/opt/a b/libwebkit2gtk-4.1.so.0.19.9" {
		t.Error(got)
	}
	if got := o.loaded("libgtk-4.so"); got != "" {
		t.Error(got)
	}
	o.goos = "linux"
	if f := o.webView(); f.State != Note { // its helper is not beside it
		t.Errorf("%+v", f)
	}
}
