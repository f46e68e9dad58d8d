package cli

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestDispatch(t *testing.T) {
	cases := []struct {
		args    []string
		code    int
		handled bool
		ran     []string // arguments that the subcommand got; nil when it must not run
		out     string   // a part of what was printed to either stream
	}{
		{args: nil},
		{args: []string{"-psn_0_12345"}},
		{args: []string{"--devserver", "x"}},
		{args: []string{"try"}, code: 7, handled: true, ran: []string{}},
		{args: []string{"try", "-x", "help"}, code: 7, handled: true, ran: []string{"-x", "help"}},
		{args: []string{"help"}, handled: true, out: "kandev-desktop try        tries"},
		{args: []string{"--help"}, handled: true, out: "opens the window"},
		{args: []string{"nonsense"}, code: 2, handled: true, out: `there is no command "nonsense"`},
		{args: []string{""}, code: 2, handled: true, out: `there is no command ""`},
		{args: []string{"try\x1b[2J"}, code: 2, handled: true, out: `"try\x1b[2J"`},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var ran []string
			known := []command{{"try", "tries", func(args []string) int { ran = append([]string{}, args...); return 7 }}}
			var stdout, stderr bytes.Buffer
			code, handled := dispatch(c.args, known, &stdout, &stderr)
			if code != c.code || handled != c.handled {
				t.Errorf("dispatch = %d, %v, want %d, %v", code, handled, c.code, c.handled)
			}
			if (ran == nil) != (c.ran == nil) || !slices.Equal(ran, c.ran) {
				t.Errorf("the subcommand got %q, want %q", ran, c.ran)
			}
			if printed := stdout.String() + stderr.String(); !strings.Contains(printed, c.out) {
				t.Errorf("printed %q, want it to hold %q", printed, c.out)
			}
			if (stderr.Len() > 0) != (code != 0 && ran == nil) {
				t.Errorf("standard error holds %q", &stderr)
			}
		})
	}
}

func TestCommandsAreUniqueAndDescribed(t *testing.T) {
	seen := map[string]bool{"help": true}
	for _, c := range commands() {
		if seen[c.name] || c.about == "" || c.run == nil {
			t.Errorf("command %+v is doubled or incomplete", c.name)
		}
		seen[c.name] = true
	}
}

func TestVersionLine(t *testing.T) {
	if got := versionLine(nil); !strings.HasPrefix(got, "kandev-desktop "+Version()+" go") {
		t.Errorf("versionLine(nil) = %q", got)
	}
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}}
	if got := versionLine(info); !strings.Contains(got, " 0123456789ab go") {
		t.Errorf("versionLine = %q, want the commit in it", got)
	}
}
