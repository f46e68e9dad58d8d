//go:build unix

package backend

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kandev/backend/plugin"
)

// done waits for work that must not hang.
func done(t *testing.T, what string, work func()) {
	t.Helper()
	end := make(chan struct{})
	go func() { defer close(end); work() }()
	select {
	case <-end:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s hangs", what)
	}
}

// TestModuleIsSomethingElse: whatever lies in a module's place on the disk, a
// call and a person are told, nothing hangs, and installing again repairs it.
func TestModuleIsSomethingElse(t *testing.T) {
	for what, put := range map[string]func(path string) error{
		"gone":              func(string) error { return nil },
		"a pipe":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":          func(path string) error { return os.Mkdir(path, 0o700) },
		"an endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a dead link":       func(path string) error { return os.Symlink("/nonexistent", path) },
		"a longer file": func(path string) error {
			f, err := os.Create(path)
			if err == nil {
				err = f.Truncate(5 << 30)
			}
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			a := fakeApp(t)
			_, c := a.ready()
			path := packageFile(t, "acme.odd", echoModule(), nil)
			name := a.install(path)
			a.enable(name)
			c.names()
			c.call("kandev_acme_odd_echo", nil)
			module := filepath.Join(a.plugins.version(name, a.plugin(name).Manifest.Wasm.SHA256), moduleName)
			if err := os.Remove(module); err != nil {
				t.Fatal(err)
			}
			if err := put(module); err != nil {
				t.Fatal(err)
			}
			done(t, "switching", func() {
				a.disable(name)
				if err := a.EnablePlugin(t.Context(), name, a.plugin(name).Manifest.Permissions.Granted()); err == nil || !strings.Contains(err.Error(), "install it again") {
					t.Error(err)
				}
				a.install(path)
				a.enable(name)
			})
			done(t, "a call", func() {
				if text, failed := c.call("kandev_acme_odd_echo", nil); failed {
					t.Error(text)
				}
			})
		})
	}
}

// TestModuleGoneWhileEnabled: the call says so and the plugin is off, with the
// reason; quitting is not held up.
func TestModuleGoneWhileEnabled(t *testing.T) {
	a := fakeApp(t)
	a.plugins.o.warm = false
	_, c := a.ready()
	name := a.install(packageFile(t, "acme.pipe", echoModule(), nil))
	a.enable(name)
	c.names()
	module := filepath.Join(a.plugins.version(name, a.plugin(name).Manifest.Wasm.SHA256), moduleName)
	if err := os.Remove(module); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(module, 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "a call", func() {
		if text, failed := c.call("kandev_acme_pipe_echo", nil); !failed || !strings.Contains(text, "cannot be read") {
			t.Error(text)
		}
	})
	a.until("switched off", func() bool { return a.plugin(name).Status.Reason == plugin.Changed })
	done(t, "quitting", a.quit)
}

// TestInstalledAgain: the very file that is installed, installed again, ends
// what was wrong with the file, and nothing that was not: its words say so.
func TestInstalledAgain(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	a.plugins.o.warm = false
	_, c := a.ready()
	path := packageFile(t, "acme.again", echoModule(), nil)
	name := a.install(path)
	a.enable(name)
	c.names()
	module := filepath.Join(a.plugins.version(name, a.plugin(name).Manifest.Wasm.SHA256), moduleName)
	if err := os.WriteFile(module, []byte("gone bad"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.call("kandev_acme_again_echo", nil)
	a.until("switched off", func() bool { return a.plugin(name).Status.Reason == plugin.Changed })
	seen, err := a.InspectPlugin(t.Context(), path)
	if err != nil || !seen.Update.Same || seen.Update.After.State != plugin.Installed {
		t.Errorf("%+v %v", seen.Update, err)
	}
	a.install(path)
	healed := func() {
		t.Helper()
		if p := a.plugin(name); p.Status.State != plugin.Installed || p.Status.Detail != "" || p.Grant == nil {
			t.Errorf("%+v", p.Installation)
		}
	}
	healed()
	a.quit()
	a = openApp(t, home, fakes)
	healed()
	a.enable(name)
	a.install(path)
	if p := a.plugin(name); p.Status.State != plugin.Enabled {
		t.Errorf("an enabled one: %+v", p.Status)
	}
	a.disable(name)
	a.install(path)
	if p := a.plugin(name); p.Status.Reason != plugin.ByPerson {
		t.Errorf("what the person switched off: %+v", p.Status)
	}
}

// TestPersonsFileIsSomethingElse: what is chosen or dropped may be anything.
func TestPersonsFileIsSomethingElse(t *testing.T) {
	a := fakeApp(t)
	dir := t.TempDir()
	pipe, sparse, unreadable := filepath.Join(dir, "pipe"), filepath.Join(dir, "sparse.zip"), filepath.Join(dir, "\x1b[2Jx.zip")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(sparse)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Truncate(5 << 30)
	_ = f.Close()
	for _, path := range []string{pipe, sparse, unreadable, dir, "/dev/zero", "/dev/tty", "", "\x00", "/proc/self/mem", strings.Repeat("x", 5000)} {
		done(t, path, func() {
			if _, err := a.InspectPlugin(t.Context(), path); err == nil {
				t.Errorf("%.40q is fine", path)
			}
			if _, err := a.InstallPlugin(t.Context(), path, ""); err == nil {
				t.Errorf("%.40q is installed", path)
			}
		})
	}
}
