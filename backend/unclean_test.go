package backend

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/event"
)

func uncleanNotice(a *testApp) *event.Notice {
	all := a.Snapshot().Notices
	if i := slices.IndexFunc(all, func(n event.Notice) bool { return n.ID == noticeUnclean }); i >= 0 {
		return &all[i]
	}
	return nil
}

// TestUncleanEnd: after a kill the next start says so once, with a report that
// can be read and copied and holds no secret; after an end in order it says nothing.
func TestUncleanEnd(t *testing.T) {
	home := t.TempDir()
	cmd, r := appProcess(t, nil, home)
	if r.Error != "" || len(r.Snapshot.Notices) != 0 {
		t.Fatalf("a first start: %q, %+v", r.Error, r.Snapshot.Notices)
	}
	if info, err := os.Stat(filepath.Join(home, markName)); err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
		t.Fatalf("the mark of a run: %v, %v", info, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	said := "panic: api_key=zq7secret in /home/zq7ada/project\n\ngoroutine 1 [running]:\nmain.main()\n\tkandev/main.go:30 +0x1d\n"
	if err := os.WriteFile(filepath.Join(home, "logs", "panic.txt"), []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	appendLog(t, home, `{"msg":"zq7early"}`, `{"msg":"the last thing","err":"open /home/zq7ada/x: denied"}`)

	a := openApp(t, home)
	n := uncleanNotice(a)
	if n == nil || n.Action != "unclean_report" || !strings.Contains(n.Text, "(test, started 20") {
		t.Fatalf("the notice: %+v", n)
	}
	report := a.UncleanReport()
	for _, want := range []string{"version  test", "system   ", "started  20", "goroutine 1 [running]:", "kandev/main.go:30", "the last thing", "[path]"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in the report:\n%s", want, report)
		}
	}
	for _, secret := range []string{"zq7secret", "zq7ada"} {
		if strings.Contains(report, secret) {
			t.Errorf("%s in the report:\n%s", secret, report)
		}
	}
	a.DismissUnclean()
	if uncleanNotice(a) != nil || a.UncleanReport() != "" {
		t.Error("dismissed and still there")
	}
	a.quit()
	if _, err := os.Stat(filepath.Join(home, markName)); err == nil {
		t.Error("an end in order leaves its mark")
	}
	if b := openApp(t, home); uncleanNotice(b) != nil || b.UncleanReport() != "" {
		t.Error("told again after an end in order")
	}
}

// TestUncleanEndBeforeAStartThatFails: a start that comes to nothing keeps what the next one has to tell.
func TestUncleanEndBeforeAStartThatFails(t *testing.T) {
	home := t.TempDir()
	cmd, _ := appProcess(t, nil, home)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := os.WriteFile(filepath.Join(home, "logs", "panic.txt"), []byte("panic: the first one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if b, err := Open(over, Options{Home: home, Version: "failing", Self: []string{"x"}}); err == nil {
		t.Fatal(b.Close(t.Context()), "it opened")
	}
	a := openApp(t, home)
	if n, report := uncleanNotice(a), a.UncleanReport(); n == nil || !strings.Contains(report, "version  test") || !strings.Contains(report, "panic: the first one") {
		t.Errorf("%+v\n%s", n, report)
	}
}

// TestKilledOnPurpose: a run that says it will be killed leaves nothing to tell of.
func TestKilledOnPurpose(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, func(o *Options) { o.Killed = true })
	if _, err := os.Stat(filepath.Join(home, markName)); err == nil {
		t.Error("a mark was left")
	}
	a.quit()
}

// A mark that was not written whole, or holds something else, is the mark of an unclean end too; none is ever fatal.
func TestBrokenMark(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"version":5}`, "\x00\x01", strings.Repeat("x", 1<<20)} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, markName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		a := openApp(t, home)
		if n := uncleanNotice(a); n == nil || !strings.Contains(n.Text, "version not known") {
			t.Errorf("%.10q: %+v", text, n)
		}
		var m mark
		if now, err := os.ReadFile(filepath.Join(home, markName)); err != nil || json.Unmarshal(now, &m) != nil || m.PID != os.Getpid() {
			t.Errorf("%.10q: the mark of this run is %s, %v", text, now, err)
		}
		a.quit()
	}
}

func TestTailLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if got := tailLines(path); got != nil {
		t.Errorf("of no file: %q", got)
	}
	long := strings.Repeat("0123456789\n", reportTail/8) + "the end" // no line break after it
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	got := tailLines(path)
	if len(got) < 100 || got[0] != "0123456789" || got[len(got)-1] != "the end" {
		t.Errorf("%d lines, first %q, last %q", len(got), got[0], got[len(got)-1])
	}
}

func appendLog(t *testing.T, home string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(home, "logs", "kandev.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		t.Fatal(err)
	}
}
