//go:build linux

package agents

import (
	"encoding/json"
	"os"
	"testing"
)

// canonical follows one call with wrong arguments and one of a tool that does
// not exist. The log, the sentence about the arguments and the tool-use row hold
// the canonical name; the not-found answer holds the name that was sent.
func (w *world) canonical(t *testing.T) {
	served := ""
	for _, e := range w.app.catalog(w.id).Entries {
		if e.Served == "get_task" || e.Served == "get_task_kandev" {
			served = e.Served
		}
	}
	if served == "" {
		t.Fatal("get_task is not served")
	}
	if w.npm == "" {
		t.Skip("its bearer does not leave our own program, so no other client can be let in")
	}
	c := dial(t, w.delivered(t))
	wrong := c.call(t, served, `{"task_id":7}`)
	if !contains(wrong, "get_task_kandev") {
		t.Errorf("the sentence about wrong arguments is %s", wrong)
	}
	missing := served + "_not_there"
	if got := c.call(t, missing, `{}`); !contains(got, missing) {
		t.Errorf("the not-found answer is %s", got)
	}
	w.app.until("the call counted", func() bool {
		for _, u := range w.app.history(w.id).Current().Uses {
			if u.Tool == served && served != "get_task_kandev" {
				t.Fatalf("the tool-use row holds %s", u.Tool)
			}
			if u.Tool == "get_task_kandev" && u.Errors == 1 {
				return true
			}
		}
		return false
	})
	logged := map[string]int{}
	for _, line := range logLines(t, w.home+"/logs/kandev.log") {
		logged[line.Tool]++
	}
	if logged["get_task_kandev"] != 1 || logged["get_task"] != 0 || logged["list_tasks"] != 0 || logged["list_tasks_kandev"] == 0 {
		t.Errorf("the log holds %v", logged)
	}
}

type logLine struct {
	Msg  string `json:"msg"`
	Tool string `json:"tool"`
}

func logLines(t *testing.T, path string) (out []logLine) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := json.NewDecoder(f); d.More(); {
		var l logLine
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}
