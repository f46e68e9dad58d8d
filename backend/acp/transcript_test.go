package acp

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// TestTranscripts plays testdata/*.txtar. "calls" are made one after the other:
//
//	initialize | authenticate METHOD | new CWD [JSON SERVERS] | prompt SESSION TEXT
//
// "agent" is played by the test: "recv" reads one line from the connection,
// any other line is sent, unquoted first when it is a Go string. The rest is
// what must come of it: "outgoing" byte for byte, the handlers' "events" in
// order, and the calls' "results".
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, section(a, "calls"), section(a, "agent"))
			if *update {
				rewrite(t, file, a, got)
				return
			}
			for _, name := range []string{"outgoing", "events", "results"} {
				if want := section(a, name); got[name] != want {
					t.Errorf("%s:\n%s\nwant:\n%s", name, got[name], want)
				}
			}
		})
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func rewrite(t *testing.T, file string, a *txtar.Archive, got map[string]string) {
	t.Helper()
	files := []txtar.File{{Name: "calls", Data: []byte(section(a, "calls"))}, {Name: "agent", Data: []byte(section(a, "agent"))}}
	for _, name := range []string{"outgoing", "events", "results"} {
		if got[name] != "" {
			files = append(files, txtar.File{Name: name, Data: []byte(got[name])})
		}
	}
	a.Files = files
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

func play(t *testing.T, calls, script string) map[string]string {
	t.Helper()
	var events, results, outgoing strings.Builder
	c, p := connect(t, Options{
		Update: func(id string, u Update) {
			if len(u.Raw) == 0 {
				t.Errorf("an update without its bytes: %+v", u)
			}
			fmt.Fprintf(&events, "%s %s\n", id, shown(t, u))
		},
		Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
			r.Raw = nil
			fmt.Fprintf(&events, "permission %s\n", compact(t, r))
			return PermissionOutcome{r.Options[0].ID}, nil
		},
		Noise: func(n int, _ string) { fmt.Fprintf(&events, "noise of %d bytes\n", n) },
	})
	played := async(func() (int, error) {
		defer p.out.Close()
		for line := range strings.Lines(script) {
			line = strings.TrimSuffix(line, "\n")
			switch text, err := strconv.Unquote(line); {
			case line == "recv":
				outgoing.WriteString(p.line() + "\n")
			case err == nil:
				p.send(text)
			default:
				p.send(line)
			}
		}
		return 0, nil
	})
	for call := range strings.Lines(calls) {
		v, err := callOf(t, c, strings.TrimSuffix(call, "\n"))
		if err != nil {
			fmt.Fprintf(&results, "error: %v\n", err)
		} else {
			fmt.Fprintf(&results, "%s\n", compact(t, v))
		}
	}
	wait(t, "the agent's part", played)
	wait(t, "the end", c.Done())
	return map[string]string{"outgoing": outgoing.String(), "events": events.String(), "results": results.String()}
}

// shown is an update without its bytes, unless they are all there is.
func shown(t *testing.T, u Update) string {
	only := u
	only.Kind, only.Raw = "", nil
	if compact(t, only) != "{}" {
		u.Raw = nil
	}
	return compact(t, u)
}

func callOf(t *testing.T, c *Conn, line string) (any, error) {
	t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	first, rest, _ := strings.Cut(rest, " ")
	switch verb {
	case "initialize":
		in, err := c.Initialize(t.Context(), InitializeRequest{Client: Implementation{Name: "kandev", Title: "Kandev Desktop", Version: "1.0.0"}})
		in.Raw = nil
		return in, err
	case "authenticate":
		return "done", c.Authenticate(t.Context(), first)
	case "new":
		r := NewSession{Cwd: first}
		if rest != "" {
			if err := json.Unmarshal([]byte(rest), &r.Servers); err != nil {
				t.Fatal(err)
			}
		}
		s, err := c.NewSession(t.Context(), r)
		s.Raw = nil
		return s, err
	case "prompt":
		return c.Prompt(t.Context(), first, []Block{{rest}})
	}
	t.Fatalf("unknown call %q", line)
	return nil, nil
}
