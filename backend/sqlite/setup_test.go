package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/permission"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/task"
)

var epoch = time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)

// openAt opens a database and closes it with the test.
func openAt(t testing.TB, path string, o Options) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.closePools() }) // a second close of a pool is nothing
	return db
}

func openNew(t testing.TB) *DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "data", "kandev.db"), Options{})
}

// closed closes a database well.
func closed(t testing.TB, db *DB) {
	t.Helper()
	if err := db.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// foreign is another program's connection to the same file.
func foreign(t testing.TB, path string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("sqlite", fileURI(path)+"?_pragma=busy_timeout(2000)")
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

func mustExec(t testing.TB, pool *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := pool.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func count(t testing.TB, pool *sql.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := pool.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func save(t testing.TB, db *DB, c Change) (dropped bool) {
	t.Helper()
	dropped, err := db.SaveSession(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return dropped
}

// newSession is a change that stores a session with its project and task.
func newSession(id session.ID) Change {
	p := project.Project{ID: "p", Name: "p", Path: "/p"}
	k := task.Task{ID: task.ID("t-" + id), Project: p.ID, Title: "t"}
	s := session.Session{ID: id, Project: p.ID, Task: k.ID, State: session.Ready}
	return Change{ID: id, Project: &p, Task: &k, Session: &s}
}

// manySessions is how many a move brings into a file that has one of them.
const manySessions = 20

// longSession takes a moment to move.
func longSession(n int) Change {
	c := newSession(session.ID(fmt.Sprintf("s_%02d", n)))
	c.Attachment = history(2, "word")
	for k := range int64(20) {
		c.Items = append(c.Items, session.Item{Number: k + 1, Revision: k + 1, Text: strings.Repeat("x", 20_000)})
	}
	return c
}

// history has n attempts; the last has a catalog with the given words.
func history(n int, words string) *attach.History {
	h := &attach.History{}
	for i := range n {
		h.Attempts = append(h.Attempts, attach.Attempt{
			ID:      fmt.Sprintf("a%d", i),
			Servers: []attach.Server{{Name: attach.BuiltinServer, Status: attach.StatusActive}},
		})
	}
	c := h.Current()
	c.Servers[0].Catalog = &catalog.Catalog{Total: 1, Entries: []catalog.Entry{{
		Served: "tool_" + words, Description: words, InputSchema: `{"title":"` + words + `"}`,
	}}}
	c.Uses = []attach.Use{{Tool: "tool_" + words, Calls: 1, Last: epoch}}
	return h
}

// filler sets every exported field of a value to something of its own, so that
// a forgotten column shows as a difference.
type filler struct{ n int }

func filled[T any]() (v T) {
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	return v
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(epoch.Add(time.Duration(f.n) * time.Hour)))
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, `{"n":%d,"html":"<&>"}`, f.n))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d <\"'&\u2028é>", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint64:
		v.SetUint(uint64(f.n))
	default:
		panic("no filling for " + v.Type().String())
	}
}

// sample is a full change: one of every noun.
func sample(id session.ID) Change {
	p, k, s := filled[project.Project](), filled[task.Task](), filled[session.Session]()
	k.Project = p.ID
	s.ID, s.Project, s.Task = id, p.ID, k.ID
	items := []session.Item{filled[session.Item](), {Number: 99, Revision: 99, Kind: session.ItemMessage}}
	h := filled[attach.History]()
	h.Attempts[0].Uses = nil // an old attempt has none of both
	for i := range h.Attempts[0].Servers {
		h.Attempts[0].Servers[i].Catalog = nil
	}
	q, r := filled[question.Bundle](), filled[permission.Request]()
	q.Session, r.Session = id, id
	return Change{
		ID: id, Project: &p, Task: &k, Session: &s, Items: items, Attachment: &h,
		Questions: []question.Bundle{q}, Permissions: []permission.Request{r},
	}
}

// same fails with the difference of two values as they print.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, _ := json.MarshalIndent(got, "", " ")
	w, _ := json.MarshalIndent(want, "", " ")
	gl, wl := strings.Split(string(g), "\n"), strings.Split(string(w), "\n")
	for i := range min(len(gl), len(wl)) {
		if gl[i] != wl[i] {
			t.Errorf("%s: line %d: got %s, want %s", what, i, gl[i], wl[i])
			return
		}
	}
	t.Errorf("%s: got %d lines, want %d lines: %#v, %#v", what, len(gl), len(wl), got, want)
}
