package backend

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// files reads every file below a folder.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// within names the files that hold a text, in any spelling JSON may give it.
func within(all map[string][]byte, text string) (names []string) {
	for name, b := range all {
		if bytes.Contains(b, []byte(text)) {
			names = append(names, filepath.Base(name))
		}
	}
	return names
}

// TestSentinels: spec/attachment.md, "What may be where", on the bytes of a data
// folder while the app runs and after it. Each sentinel stands in one field.
func TestSentinels(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes, func(o *Options) {
		o.Log = nil // the real log files
		o.Environ = append(os.Environ(), "SENTINEL_ENV=sentinelenvironment")
		inner := o.agents
		o.agents = func(id string) (agent.Definition, bool) {
			d, ok := inner(id)
			d.Capabilities.EnvSet = map[string]string{"SENTINEL_SET": "sentinelset"}
			return d, ok
		}
	})
	a.level.Set(-8) // everything that can be logged is
	id := a.begin(mannerPlain, "sentinelprompt")
	a.said(id, "you said sentinelprompt")
	a.inState(id, session.Ready)
	a.counted(id)
	for _, prompt := range []string{
		`call create_task {"title":"sentineltitle","prompt":"sentinelargument"}`,
		`call list_tasks {"cursor":"sentinelcursor"}`,
		`call no_such {"sentinelunknown":"sentinelunknown"}`,
		`call set_task_title {"sentinelextra":"sentinelextra","title":"x"}`,
		`call get_task {"task_id":"sentinelid"}`,
		`bearer`,
	} {
		a.say(id, prompt)
		a.inState(id, session.Ready)
	}
	bearer := a.bearer(id)
	a.say(id, "shout") // the agent writes headers and bearer to stderr and ends
	a.inState(id, session.Failed)
	if notes := a.notes(id); !strings.Contains(notes, "shouting") {
		t.Fatalf("the agent did not shout: %q", notes)
	}
	for _, when := range []string{"while it runs", "after quit"} {
		if when == "after quit" {
			a.quit()
		} else if err := a.writer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := files(t, home)
		for _, never := range []string{
			"sentinelenvironment", "sentinelset", bearer, "alwaysLoad", "readOnlyHint",
		} {
			if names := within(all, never); len(names) != 0 {
				t.Errorf("%s: %q is in %v", when, never, names)
			}
		}
		for name, b := range all {
			for _, said := range []string{"sentinelprompt", "sentinelargument", "sentinelcursor", "sentinelunknown", "sentinelextra", "sentinelid", "sentineltitle", "shouting"} {
				if strings.Contains(name, string(filepath.Separator)+"logs"+string(filepath.Separator)) && bytes.Contains(b, []byte(said)) {
					t.Errorf("%s: %q is in the log", when, said)
				}
			}
		}
	}
	checkTables(t, filepath.Join(home, sqlite.FileName))
}

// checkTables looks for what was said in the tables of the attachment.
func checkTables(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	all, err := db.LoadAttachmentSummaries(t.Context())
	if err != nil || len(all) == 0 {
		t.Fatalf("%d attachments (%v)", len(all), err)
	}
	for id := range all {
		h, err := db.LoadAttachment(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(h)
		var catalogs []byte
		if c := h.Current(); c != nil {
			for _, s := range c.Servers {
				body, _ := json.Marshal(s.Catalog)
				catalogs = append(catalogs, body...)
			}
		}
		for _, said := range []string{"sentinel", "Bearer", "/mcp/"} {
			if bytes.Contains(b, []byte(said)) || bytes.Contains(catalogs, []byte(said)) {
				t.Errorf("%q is in the attachment: %s", said, b)
			}
		}
	}
}

// bearer is the secret of a live session's endpoint; the agent puts it into a
// file of its folder.
func (a *testApp) bearer(id session.ID) string {
	a.t.Helper()
	b, err := os.ReadFile(filepath.Join(a.folder(id), "bearer"))
	if err != nil || len(b) < 40 {
		a.t.Fatalf("%q (%v)", b, err)
	}
	return string(b)
}

// TestDeletedBytes: after a deletion, and after a list was superseded, no byte
// of it is in the database, its log or its index.
func TestDeletedBytes(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "deletedprompt")
	a.said(id, "you said deletedprompt")
	a.inState(id, session.Ready)
	a.say(id, "ask")
	a.until("a question", func() bool { return len(a.Snapshot().Questions) == 1 })
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	attempt := a.history(id).Current().ID
	description := a.history(id).Current().Servers[0].Catalog.Entries[0].Description[:40]
	if all := files(t, home); len(within(all, "deletedprompt")) == 0 || len(within(all, description)) == 0 {
		t.Fatal("nothing to look for")
	}
	if err := a.DeleteSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := files(t, home)
	for _, gone := range []string{"deletedprompt", attempt, "Which?", description} {
		if names := within(all, gone); len(names) != 0 {
			t.Errorf("%q is still in %v", gone, names)
		}
	}
}

// TestSupersededBytes: what an older attempt was served and the newer was not
// is in no byte once the newer one has begun.
func TestSupersededBytes(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.counted(id)
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(within(files(t, home), "set_task_title_kandev")) == 0 {
		t.Fatal("nothing to look for")
	}
	if err := a.RenameSession(id, "A name"); err != nil {
		t.Fatal(err)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.counted(id)
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names := within(files(t, home), "set_task_title_kandev"); len(names) != 0 {
		t.Errorf("still in %v", names)
	}
}
