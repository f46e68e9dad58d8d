package backend

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"kandev/backend/event"
	"kandev/backend/redact"
)

// markName is the file that is there while the app runs, and after an end that was not in order.
const markName = "running.json"

// noticeUnclean is the id of the notice about such an end.
const noticeUnclean = "unclean_end"

// Bounds of a report: enough to see what happened, short enough to read before it is copied.
const (
	reportLogLines   = 30
	reportPanicLines = 60
	reportTail       = 64 << 10 // bytes looked at, at the end of a file
)

// mark is what a start writes about itself.
type mark struct {
	Version string    `json:"version"`
	System  string    `json:"system"`
	Started time.Time `json:"started"`
	PID     int       `json:"pid"`
}

// PanicFile is where the Go runtime is to write what it says when it ends the process, for the next start's report.
func (b *Backend) PanicFile() string { return b.path("logs", "panic.txt") }

// lookBack tells of an end of the last run that was not in order: a crash, a kill, a power cut. Then it leaves this
// run's mark, which a Close takes away again. Both are best effort: the app works without. A start that fails puts back
// what was there: it has told nobody.
func (b *Backend) lookBack() {
	path := b.path(markName)
	before, _ := os.ReadFile(path)
	if last, err := readMark(path); err == nil {
		b.report = b.uncleanReport(last)
		b.log.Warn("the last run did not end in order", "version", last.Version, "started", last.Started)
		b.notice(noticeUnclean, "warning", fmt.Sprintf(
			"Kandev Desktop did not end in order last time (%s, started %s). What was stored is here. The report stays on this machine; nothing is sent.",
			last.Version, last.Started.Local().Format("2006-01-02 15:04")), "unclean_report")
	}
	if b.o.Killed {
		_ = os.Remove(path)
		return
	}
	text, err := json.Marshal(mark{b.o.Version, runtime.GOOS + "/" + runtime.GOARCH, b.o.Now(), os.Getpid()})
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		b.log.Info("no mark of this run", "err", err)
		return
	}
	b.release = append(b.release, func() {
		if before != nil && !b.opened {
			_ = os.WriteFile(path, before, 0o600)
			return
		}
		_ = os.Remove(path)
	})
}

// readMark reads the mark of a run that left one. One that cannot be understood is one all the same: the file was
// being written.
func readMark(path string) (mark, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return mark{}, err
	}
	var m mark
	if json.Unmarshal(text, &m) != nil || m.Version == "" {
		m = mark{Version: "version not known"}
		if info, err := os.Stat(path); err == nil {
			m.Started = info.ModTime()
		}
	}
	return m, nil
}

// uncleanReport is readable text for whoever looks into it. The log holds no secrets by what is written into it; a
// panic may, so every line is treated as a text of a foreign process.
func (b *Backend) uncleanReport(last mark) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Kandev Desktop did not end in order.\n\nversion  %s\nsystem   %s%s\nstarted  %s\n",
		redact.Summary(last.Version), redact.Summary(last.System), distribution(), last.Started.UTC().Format(time.RFC3339))
	if info, err := os.Stat(b.path("logs", "kandev.log")); err == nil {
		fmt.Fprintf(&out, "last log %s\n", info.ModTime().UTC().Format(time.RFC3339))
	}
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			lines = []string{"(none)"}
		}
		fmt.Fprintf(&out, "\n%s\n", title)
		for _, line := range lines {
			fmt.Fprintln(&out, redact.Summary(line))
		}
	}
	said := tailLines(b.PanicFile())
	section("What the program said at its end:", said[:min(len(said), reportPanicLines)])
	logged := tailLines(b.path("logs", "kandev.log"))
	section("The last lines of its log:", logged[max(0, len(logged)-reportLogLines):])
	return out.String()
}

// distribution is the name that a Linux system gives itself, else nothing.
func distribution() string {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return ""
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			return ", " + redact.Summary(strings.Trim(name, `"`))
		}
	}
	return ""
}

// tailLines are the lines in the last bytes of a file that are not blank; a first one that was cut is left out.
func tailLines(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	cut := false
	if info, err := f.Stat(); err == nil && info.Size() > reportTail {
		_, err = f.Seek(-reportTail, io.SeekEnd)
		cut = err == nil
	}
	text, _ := io.ReadAll(io.LimitReader(f, reportTail)) // what could be read is what there is to show
	var lines []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if cut {
			cut = false
			continue
		}
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// UncleanReport is the report about the last run, "" when it ended in order or the person has dismissed it.
func (b *Backend) UncleanReport() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.report
}

// DismissUnclean forgets the report and takes the notice away.
func (b *Backend) DismissUnclean() {
	b.mu.Lock()
	b.report = ""
	b.mu.Unlock()
	b.out.publish(event.View{NoticeGone: noticeUnclean})
}
