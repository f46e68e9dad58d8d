package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/session"
)

// The test binary is also the program that writes until it is killed, and the
// person with fewer rights.
func TestMain(m *testing.M) {
	switch os.Getenv("KANDEV_SQLITE_CHILD") {
	case "write":
		writeForever(os.Getenv("KANDEV_SQLITE_PATH"))
	case "move in":
		moveInAndSay(os.Getenv("KANDEV_SQLITE_PATH"))
	case "open":
		openAndSay(os.Getenv("KANDEV_SQLITE_PATH"))
	default:
		os.Exit(m.Run())
	}
}

// writeForever stores attempt after attempt, each with a catalog, and says the
// number of each one that is stored.
func writeForever(path string) {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	h := attach.History{}
	for n := 1; ; n++ {
		next := history(1, strings.Repeat("definition ", 500)+strconv.Itoa(n))
		next.Attempts[0].ID = fmt.Sprintf("a%d", n)
		h.Attempts = append(h.Attempts, next.Attempts[0])
		h.Attempts = h.Attempts[max(0, len(h.Attempts)-attach.MaxAttempts):]
		h.CatalogRev = uint64(n)
		c := newSession("s_1")
		c.Attachment = &h
		c.Items = []session.Item{{Number: int64(n), Revision: int64(n)}}
		dropped, err := db.SaveSession(ctx, c)
		if err == nil && dropped && n%3 == 0 {
			_, err = db.Checkpoint(ctx)
		}
		if err != nil {
			fmt.Println("save:", err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

// openAndSay opens a database and says in one line what came of it.
func openAndSay(path string) {
	db, err := Open(context.Background(), path, Options{})
	switch {
	case err == nil:
		fmt.Println("open", db.Close(context.Background()))
	case errors.Is(err, ErrReadOnly):
		fmt.Println("read-only")
	case errors.Is(err, ErrUnreadable):
		fmt.Println("unreadable")
	default:
		fmt.Println(err)
	}
}

// moveInAndSay fills memory that stands in for a file, moves it there, and says
// before and after that it does.
func moveInAndSay(path string) {
	ctx := context.Background()
	db, err := OpenStandIn(ctx, path, Options{})
	for n := 1; err == nil && n < manySessions; n++ {
		_, err = db.SaveSession(ctx, longSession(n))
	}
	if err == nil {
		fmt.Println("begins")
		err = db.MoveIn(ctx)
	}
	fmt.Println("moved", err)
	<-time.After(time.Hour) // until it is killed
}

func child(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KANDEV_SQLITE_CHILD="+what, "KANDEV_SQLITE_PATH="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// kill -9 in the middle of writing: what was acknowledged is there, at most
// one more, whole, and never a catalog without its attempt.
func TestKill(t *testing.T) {
	for _, acks := range []int{1, 2, 7, 30, 61} {
		path := filepath.Join(t.TempDir(), "kandev.db")
		cmd := child(t, "write", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		acked := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if acked, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(lines.Text())
			}
			if acked == acks {
				_ = cmd.Process.Kill() // and read on to what it said before it died
			}
		}
		_ = cmd.Wait() // killed
		checkKilled(t, path, acked)
	}
}

func checkKilled(t *testing.T, path string, acked int) {
	t.Helper()
	db := openAt(t, path, Options{})
	ctx := t.Context()
	if !db.Unclean() {
		t.Error("the kill was not seen")
	}
	if err := db.QuickCheck(ctx); err != nil {
		t.Error(err)
	}
	h := must(db.LoadAttachment(ctx, "s_1"))(t)
	n := int(h.CatalogRev)
	if n != acked && n != acked+1 {
		t.Errorf("acknowledged %d, stored %d", acked, n)
	}
	id := fmt.Sprintf("a%d", n)
	if c := h.Current(); c.ID != id || c.Servers[0].Catalog == nil ||
		!strings.HasSuffix(c.Servers[0].Catalog.Entries[0].Description, " "+strconv.Itoa(n)) {
		t.Errorf("attempt %s is not whole: %+v", id, c)
	}
	if items := must(db.Transcript(ctx, "s_1", 0, 0))(t); len(items) != n {
		t.Errorf("%d items with attempt %d", len(items), n)
	}
	for _, query := range []string{
		`SELECT count(*) FROM pragma_foreign_key_check`,
		`SELECT count(*) FROM catalog WHERE attempt <> '` + id + `'`,
		`SELECT count(*) FROM tool_use WHERE attempt <> '` + id + `'`,
	} {
		if n := count(t, db.reader, query); n != 0 {
			t.Errorf("%d of %s", n, query)
		}
	}
}
