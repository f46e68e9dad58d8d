//go:build linux

package backend

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kandev/backend/event"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// asSomebody runs an app without the rights of root, over a folder that is its
// own with the given mode.
func asSomebody(t *testing.T, home string, mode os.FileMode) func(*exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		if err := os.Chmod(home, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
		return nil
	}
	binary := filepath.Join(filepath.Dir(home), "test-binary")
	if out, err := exec.Command("cp", os.Args[0], binary).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	for dir := filepath.Dir(home); dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	project := filepath.Join(filepath.Dir(home), "project")
	if err := os.Mkdir(project, 0o777); err != nil {
		t.Fatal(err)
	}
	_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, _ error) error { return os.Chown(path, 65534, 65534) })
	if err := os.Chmod(home, mode); err != nil {
		t.Fatal(err)
	}
	return func(cmd *exec.Cmd) {
		cmd.Path = binary
		cmd.Env = append(cmd.Env, "APP_PROJECT="+project, "TMPDIR=/tmp", "HOME=/nonexistent")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

func notices(r appReport) string {
	var out []string
	for _, n := range r.Snapshot.Notices {
		out = append(out, n.Text)
	}
	return strings.Join(out, "\n")
}

// TestReadOnlyFolder: the app opens in a folder that it cannot write to, shows
// what is stored, works in memory and says so; the agent runs. As soon as the
// folder can be written to, all of it is stored and the banner goes.
func TestReadOnlyFolder(t *testing.T) {
	for _, used := range []bool{false, true} {
		home := filepath.Join(t.TempDir(), "home")
		if err := os.Mkdir(home, 0o700); err != nil {
			t.Fatal(err)
		}
		var before session.ID
		if used {
			a := openApp(t, home, fakes)
			before = a.FirstRun()
			a.quit()
		}
		app, r := appProcess(t, asSomebody(t, home, 0o500), home, "fake-"+mannerPlain, "hello")
		if r.Error != "" || !r.Memory || !strings.Contains(notices(r), "cannot be written to") {
			t.Errorf("used %v: %q, memory %v, %q", used, r.Error, r.Memory, notices(r))
		}
		if r.Catalog == nil {
			t.Errorf("used %v: no catalog in memory: %+v", used, r.Snapshot.Sessions)
		}
		if used && !hasSession(r.Snapshot, before) {
			t.Errorf("what is stored is not shown: %+v", r.Snapshot.Sessions)
		}
		if err := os.Chmod(home, 0o700); err != nil {
			t.Fatal(err)
		}
		app.waitFor("the banner is gone", func(r appReport) bool { return notices(r) == "" })
		app.end()
		_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, _ error) error { return os.Chown(path, os.Getuid(), os.Getgid()) })
		again := openApp(t, home, fakes).Snapshot()
		if !hasSession(again, r.Session) || used && !hasSession(again, before) || len(again.Notices) != 0 {
			t.Errorf("used %v: after a restart %+v, %+v", used, again.Sessions, again.Notices)
		}
	}
}

// TestNeverSaved: an app that ends while its folder still cannot be written to says
// so with its end, and leaves what is stored as it was.
func TestNeverSaved(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	a := openApp(t, home, fakes)
	before := a.FirstRun()
	a.quit()
	app, r := appProcess(t, asSomebody(t, home, 0o500), home, "fake-"+mannerPlain, "hello")
	if !r.Memory {
		t.Fatalf("it is saved: %q", notices(r))
	}
	_ = app.in.Close()
	if err := app.Wait(); err == nil {
		t.Error("it ended as if all was saved")
	}
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, _ error) error { return os.Chown(path, os.Getuid(), os.Getgid()) })
	if again := openApp(t, home, fakes).Snapshot(); !hasSession(again, before) || hasSession(again, r.Session) {
		t.Errorf("%+v", again.Sessions)
	}
}

func hasSession(s event.Snapshot, id session.ID) bool {
	return slices.ContainsFunc(s.Sessions, func(one event.Session) bool { return one.ID == string(id) })
}

// TestNoFolder: a data folder that cannot be made ends in a sentence that says
// where and what to do.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{file, filepath.Join(file, "below"), "/proc/none"} {
		_, r := appProcess(t, nil, home)
		if !strings.Contains(r.Error, home) || !strings.Contains(r.Error, "KANDEV_HOME") {
			t.Errorf("%s: %q", home, r.Error)
		}
	}
}

// smallDisk runs an app over a file system of its own of one size.
func smallDisk(t *testing.T, home, size, fill string) func(*exec.Cmd) {
	t.Helper()
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("this user may not mount: ", err)
	}
	return func(cmd *exec.Cmd) {
		script := `mount -t tmpfs -o size="$1" tmpfs "$2" && if [ -n "$3" ]; then head -c "$3" /dev/zero > "$2/filler"; fi; shift 3; exec "$@"`
		args := append([]string{"unshare", "-m", "sh", "-c", script, "sh", size, home, fill}, cmd.Args...)
		path, err := exec.LookPath("unshare")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path, cmd.Args = path, args
	}
}

// TestFullAtStart: nothing fits any more; memory, a sentence, and agents run.
func TestFullAtStart(t *testing.T) {
	home := t.TempDir()
	_, r := appProcess(t, smallDisk(t, home, "256k", "1m"), home, "fake-"+mannerPlain, "hello")
	if r.Error != "" || !r.Memory || !strings.Contains(notices(r), "disk is full") {
		t.Errorf("%q, memory %v, %q", r.Error, r.Memory, notices(r))
	}
	if r.Catalog == nil {
		t.Errorf("no catalog in memory: %+v", r.Snapshot.Sessions)
	}
}

// TestFullLater: the disk fills up while an agent works; the window says so,
// and when there is room again it is stored and the banner goes.
func TestFullLater(t *testing.T) {
	home := t.TempDir()
	cmd, r := appProcess(t, smallDisk(t, home, "4m", ""), home, "fake-"+mannerPlain, "ask")
	if r.Error != "" || r.Memory {
		t.Fatalf("%+v", r)
	}
	filler := filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "root", home, "filler")
	_ = os.WriteFile(filler, make([]byte, 8<<20), 0o600) // as much as there is room for
	if info, err := os.Stat(filler); err != nil || info.Size() == 0 {
		t.Skip("the app's file system cannot be reached: ", err)
	}
	cmd.waitFor("the banner", func(r appReport) bool { return strings.Contains(notices(r), "disk is full") })
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	cmd.waitFor("the banner is gone", func(r appReport) bool { return notices(r) == "" })
}

// waitFor asks for reports until one is right. Each makes the app write, since
// it renames its session.
func (c *appCommand) waitFor(what string, ok func(appReport) bool) {
	c.t.Helper()
	for limit := time.Now().Add(30 * time.Second); !ok(c.again()); {
		if time.Now().After(limit) {
			c.t.Fatalf("%s: not within the limit", what)
		}
	}
}

// TestDamaged: a database that cannot be read, in whole or in part, is kept
// under another name; the app opens with a new one and says so.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"no database": func([]byte) []byte { return []byte(strings.Repeat("nonsense ", 2000)) },
		"half":        func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"page lost": func(b []byte) []byte {
			for i := 4096; i < len(b); i++ {
				b[i] ^= 0x5a
			}
			return b
		},
		"empty": func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			a := openApp(t, home)
			id := a.FirstRun()
			a.inState(id, session.Ready)
			a.quit()
			b, err := os.ReadFile(a.path(sqlite.FileName))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(a.path(sqlite.FileName), damage(b), 0o600); err != nil {
				t.Fatal(err)
			}
			c := openApp(t, home)
			storage := c.storage()
			if name != "empty" && (len(storage.Broken) != 1 || storage.Aside == 0 || storage.Memory || len(c.Snapshot().Notices) != 1) {
				t.Errorf("%+v, %+v", storage, c.Snapshot().Notices)
			}
			if c.row(id).ID != "" || c.FirstRun() == "" {
				t.Error("what was lost is still shown")
			}
			c.inState(c.FirstRun(), session.Ready)
			if err := c.writer.Flush(t.Context()); err != nil {
				t.Error(err)
			}
			c.quit()
			c = openApp(t, home) // it can be deleted later as well
			if got := c.storage(); len(got.Broken) != len(storage.Broken) {
				t.Errorf("after a restart %v, before %v", got.Broken, storage.Broken)
			}
			if err := c.DeleteBroken(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(c.path("*broken*")); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestNewer: a database of a newer app is left as it is.
func TestNewer(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	conn := a.foreign()
	a.quit()
	a.exec(conn, "PRAGMA user_version = 9999")
	_ = conn.Close()
	c := openApp(t, home, fakes)
	if n := c.Snapshot().Notices; len(n) != 1 || !strings.Contains(n[0].Text, "newer") || !c.storage().Memory {
		t.Errorf("%+v", n)
	}
	c.quit()
	if _, err := sqlite.Open(t.Context(), c.path(sqlite.FileName), sqlite.Options{}); err == nil {
		t.Error("the file was changed")
	}
}
