package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kandev/backend/doctor"
)

func TestDoctor(t *testing.T) {
	fine := []doctor.Finding{{ID: "git", Title: "git", State: doctor.Note, Detail: "It is \x1b[2Jnot \u202ehere.", Fix: "Install git."}}
	bad := append(fine, doctor.Finding{ID: "disk", Title: "Disk", State: doctor.Missing, Detail: "Full.", Fix: "Free some space."})
	for _, c := range []struct {
		args     []string
		findings []doctor.Finding
		err      error
		code     int
		out, bad string // parts of what goes to the two streams
	}{
		{nil, fine, nil, exitDone, "Nothing that is needed is missing.", ""},
		{nil, bad, nil, exitFailed, "Needed and missing: Disk.", ""},
		{nil, bad, nil, exitFailed, "→ Free some space.", ""},
		{[]string{"--json"}, bad, nil, exitFailed, `"ok": false`, ""},
		{[]string{"--json"}, fine, nil, exitDone, `"ok": true`, ""},
		{[]string{"--help"}, nil, nil, exitDone, "Exit code 1", ""},
		{[]string{"--what"}, nil, nil, exitUsage, "", `there is no option "--what"`},
		{[]string{"git"}, nil, nil, exitUsage, "", "takes no arguments"},
		{nil, nil, errors.New("no place"), exitFailed, "", "no place"},
	} {
		var stdout, stderr bytes.Buffer
		code := runDoctor(c.args, &stdout, &stderr, func() ([]doctor.Finding, error) { return c.findings, c.err })
		if code != c.code || !strings.Contains(stdout.String(), c.out) || !strings.Contains(stderr.String(), c.bad) {
			t.Errorf("%v: %d\n%s%s", c.args, code, &stdout, &stderr)
		}
		if strings.ContainsAny(stdout.String(), "\x1b\u202e") {
			t.Errorf("%v: what a terminal obeys or hides goes to it", c.args)
		}
		if len(c.args) == 1 && c.args[0] == "--json" {
			var answer struct{ Findings []doctor.Finding }
			if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil || len(answer.Findings) != len(c.findings) {
				t.Errorf("%v, %+v", err, answer)
			}
		}
	}
}

// The real look answers for every id, and its end is near.
func TestDoctorLooks(t *testing.T) {
	t.Setenv("KANDEV_HOME", t.TempDir())
	t.Setenv("KANDEV_KEYCHAIN", "off")
	t.Setenv("SHELL", "/bin/sh")
	all, err := examine()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range all {
		seen[f.ID] = true
	}
	for _, id := range []string{"program", "display", "web_view", "data_folder", "disk", "database", "running", "git", "agent.toolbench", "keychain"} {
		if !seen[id] {
			t.Errorf("nothing about %s", id)
		}
	}
}
