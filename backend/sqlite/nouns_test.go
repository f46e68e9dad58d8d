package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/permission"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/settings"
	"kandev/backend/task"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Every exported field of every noun comes back, also from a second opening.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	want, set := sample("s_1"), filled[settings.Settings]()
	want.Settings = &set
	save(t, db, want)
	compare := func(db *DB) {
		t.Helper()
		ctx := t.Context()
		same(t, "projects", must(db.Projects(ctx))(t), []project.Project{*want.Project})
		same(t, "tasks", must(db.Tasks(ctx, want.Project.ID))(t), []task.Task{*want.Task})
		same(t, "sessions", must(db.Sessions(ctx))(t), []session.Session{*want.Session})
		same(t, "transcript", must(db.Transcript(ctx, "s_1", 0, 0))(t), want.Items)
		same(t, "attachment", must(db.LoadAttachment(ctx, "s_1"))(t), *want.Attachment)
		for _, q := range want.Questions {
			same(t, "question", must(db.Question(ctx, q.ID))(t), q)
		}
		for _, r := range want.Permissions {
			same(t, "permission", must(db.Permission(ctx, r.ID))(t), r)
		}
		same(t, "settings", must(db.Settings(ctx))(t), set)
	}
	compare(db)
	save(t, db, want) // the same again changes nothing
	compare(db)
	closed(t, db)
	compare(openAt(t, path, Options{}))
}

// The zero value of a noun comes back as the zero value.
func TestRoundTripZero(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	c := newSession("s_1")
	c.Items = []session.Item{{Number: 1, Revision: 1}}
	c.Questions = []question.Bundle{{ID: "q", Session: "s_1"}}
	c.Permissions = []permission.Request{{ID: "r", Session: "s_1"}}
	save(t, db, c)
	same(t, "project", must(db.Projects(ctx))(t), []project.Project{*c.Project})
	same(t, "task", must(db.Tasks(ctx, c.Project.ID))(t), []task.Task{*c.Task})
	same(t, "sessions", must(db.Sessions(ctx))(t), []session.Session{*c.Session})
	same(t, "items", must(db.Transcript(ctx, "s_1", 0, 0))(t), c.Items)
	same(t, "question", must(db.Question(ctx, "q"))(t), c.Questions[0])
	same(t, "permission", must(db.Permission(ctx, "r"))(t), c.Permissions[0])
	same(t, "attachment", must(db.LoadAttachment(ctx, "s_1"))(t), attach.History{})
	same(t, "settings", must(db.Settings(ctx))(t), settings.Settings{})
}

func TestAbsent(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	_, questionErr := db.Question(ctx, "x")
	_, permissionErr := db.Permission(ctx, "x")
	_, attachErr := db.LoadAttachment(ctx, "x")
	_, orphan := db.SaveSession(ctx, Change{ID: "x", Attachment: &attach.History{}})
	for i, c := range []struct{ got, want error }{
		{questionErr, question.ErrNotFound},
		{permissionErr, permission.ErrNotFound},
		{attachErr, session.ErrNotFound},
		{orphan, session.ErrNotFound},
		{db.DeleteSession(ctx, "x"), nil},
		{db.DeleteProject(ctx, "x"), nil},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%d: %v, want %v", i, c.got, c.want)
		}
	}
}

func TestTaskRules(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	for _, id := range []project.ID{"p1", "p2"} {
		save(t, db, Change{Project: &project.Project{ID: id, Path: string(id)}})
	}
	tasks := []task.Task{
		{ID: "t1", Project: "p1", ExternalID: "e", Seq: 2},
		{ID: "t2", Project: "p2", ExternalID: "e", Seq: 7},
		{ID: "t3", Project: "p1", Seq: 1},
		{ID: "t4", Project: "p1", Seq: 3},
	}
	for _, k := range tasks {
		save(t, db, Change{Task: &k})
	}
	if _, err := db.SaveSession(ctx, Change{Task: &task.Task{ID: "t5", Project: "p1", ExternalID: "e"}}); !errors.Is(err, ErrDuplicate) {
		t.Errorf("second external id: %v", err)
	}
	if _, err := db.SaveSession(ctx, Change{Project: &project.Project{ID: "p3", Path: "p1"}}); !errors.Is(err, ErrDuplicate) {
		t.Errorf("second path: %v", err)
	}
	same(t, "order", must(db.Tasks(ctx, "p1"))(t), []task.Task{tasks[2], tasks[0], tasks[3]})
}

func TestTranscriptPages(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	c := newSession("s_1")
	for n := range int64(5) {
		c.Items = append(c.Items, session.Item{Number: n, Revision: n + 1})
	}
	save(t, db, c)
	save(t, db, Change{ID: "s_1", Items: []session.Item{{Number: 0, Revision: 6, Text: "new"}, {Number: 1, Revision: 1, Text: "old"}}})
	page := must(db.Transcript(ctx, "s_1", 3, 2))(t)
	same(t, "page", page, c.Items[3:5])
	same(t, "rest", must(db.Transcript(ctx, "s_1", 5, 2))(t), []session.Item{{Number: 0, Revision: 6, Text: "new"}})
	same(t, "older revision", must(db.Transcript(ctx, "s_1", 1, 1))(t)[0].Text, "")
}

// An agent's input that is no JSON does not keep the session from the file.
func TestInvalidToolInput(t *testing.T) {
	db := openNew(t)
	c := newSession("s_1")
	c.Items = []session.Item{{Number: 1, Revision: 1, Tool: &session.ToolItem{CallID: "c", Input: []byte("{")}}}
	save(t, db, c)
	got := must(db.Transcript(t.Context(), "s_1", 0, 0))(t)[0]
	if got.Tool.CallID != "c" || got.Tool.Input != nil || !got.Cut {
		t.Errorf("%+v", got)
	}
}

func TestOpenAtBoot(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	c := newSession("s_1")
	for _, s := range []question.State{question.Open, question.Detached, question.Answered, question.Expired} {
		c.Questions = append(c.Questions, question.Bundle{ID: "q-" + string(s), Session: "s_1", State: s, AskedAt: epoch})
	}
	for _, s := range []permission.State{permission.Open, permission.Selected, permission.Cancelled} {
		c.Permissions = append(c.Permissions, permission.Request{ID: "r-" + string(s), Session: "s_1", State: s})
	}
	save(t, db, c)
	questions := must(db.OpenQuestions(ctx))(t)
	if len(questions) != 2 || questions[0].State != question.Detached || questions[1].State != question.Open {
		t.Errorf("questions %+v", questions)
	}
	if permissions := must(db.OpenPermissions(ctx))(t); len(permissions) != 1 || permissions[0].State != permission.Open {
		t.Errorf("permissions %+v", permissions)
	}
}

func TestDelete(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	save(t, db, sample("s_1"))
	other := newSession("s_2")
	other.Session.Archived = true
	save(t, db, other)
	if !save(t, db, Change{ID: "s_1", Deleted: true}) {
		t.Error("a deleted session asks for no checkpoint")
	}
	for _, table := range []string{"transcript", "attempt", "catalog", "tool_use", "question", "permission"} {
		if n := count(t, db.reader, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
	if s := must(db.Sessions(ctx))(t); len(s) != 1 || s[0].ID != "s_2" || !s[0].Archived {
		t.Errorf("sessions %+v", s)
	}
	if err := db.DeleteProject(ctx, "p"); err != nil {
		t.Fatal(err)
	}
	if s := must(db.Sessions(ctx))(t); len(s) != 0 {
		t.Errorf("sessions of a deleted project %+v", s)
	}
}

// A row that was damaged inside its text costs this row, not the list.
func TestBadRows(t *testing.T) {
	db, ctx := openNew(t), t.Context()
	for _, id := range []session.ID{"s_1", "s_2"} {
		c := newSession(id)
		c.Attachment = history(2, "w")
		save(t, db, c)
	}
	mustExec(t, db.writer, `UPDATE session SET created_at = 'never' WHERE id = 's_1'`)
	mustExec(t, db.writer, `UPDATE attempt SET body = '{' WHERE session = 's_1' AND id = 'a0'`)
	sessions, err := db.Sessions(ctx)
	if !errors.Is(err, ErrRow) || len(sessions) != 1 {
		t.Errorf("sessions: %d, %v", len(sessions), err)
	}
	summaries, err := db.LoadAttachmentSummaries(ctx)
	if _, bad := summaries["s_1"]; !errors.Is(err, ErrRow) || bad || len(summaries) != 1 {
		t.Errorf("summaries: %v, %v", summaries, err)
	}
	if h, err := db.LoadAttachment(ctx, "s_1"); !errors.Is(err, ErrRow) || h.Current() != nil {
		t.Errorf("attachment: %v, %v", h, err)
	}
}
