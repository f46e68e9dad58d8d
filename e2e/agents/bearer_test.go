//go:build linux

package agents

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
)

// bearer looks for the secret of the running attempt wherever it could be seen:
// the command lines of all processes, everything the provider was sent, and the
// files that the agent wrote. It notes what it finds; on a command line or with
// the provider it is a fault.
func (w *world) bearer(t *testing.T) {
	known, _ := agent.ByID(w.rig.id)
	w.facts.BearerFrom = string(known.Capabilities.BearerFrom)
	if w.npm == "" {
		w.facts.BearerShown = "not searched: it does not leave our own program"
		return
	}
	secret := []byte(w.delivered(t).Bearer)
	var shown, own []string
	for _, p := range inNamespace() {
		for what, value := range map[string]string{"header": ownHeader, "variable": ownVariable} {
			if contains(p.command, value) {
				own = append(own, what)
			}
		}
		if bytes.Contains([]byte(p.command), secret) {
			shown = append(shown, "a command line")
			t.Errorf("on the command line of %d", p.pid)
		}
	}
	for _, q := range w.provider.Requests() {
		header, body := strings.Builder{}, q.Body
		_ = q.Header.Write(&header)
		if bytes.Contains(body, secret) || contains(header.String(), string(secret)) {
			shown = append(shown, "a request to the provider")
			t.Errorf("in a request to %s", q.Path)
		}
	}
	shown = append(shown, w.filesWith(secret)...)
	slices.Sort(own)
	if w.facts.OwnValues = strings.Join(slices.Compact(own), ", "); w.facts.OwnValues == "" {
		w.facts.OwnValues = "none"
	}
	slices.Sort(shown)
	if w.facts.BearerShown = strings.Join(slices.Compact(shown), ", "); w.facts.BearerShown == "" {
		w.facts.BearerShown = "nowhere"
	}
	if contains(tail(w.home+"/logs/kandev.log", 5<<20), string(secret)) {
		t.Error("our log holds the bearer")
	}
}

// filesWith are the agent's files that hold a text, by their folder below home.
func (w *world) filesWith(secret []byte) (out []string) {
	home := os.Getenv("HOME")
	_ = filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // it went away, or is nothing to read
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, secret) {
			rel, _ := filepath.Rel(home, path)
			out = append(out, "a file below ~/"+strings.Join(strings.Split(rel, "/")[:min(2, strings.Count(rel, "/"))], "/"))
		}
		return nil
	})
	return out
}
