package sqlite

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"kandev/backend/session"
)

// fullFile is a closed database with a few sessions, as bytes.
func fullFile(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	for _, id := range []session.ID{"s_1", "s_2", "s_3"} {
		c := newSession(id)
		c.Attachment = history(3, string(bytes.Repeat([]byte("definition "), 2000)))
		for n := range int64(40) {
			c.Items = append(c.Items, session.Item{Number: n, Revision: n, Text: string(bytes.Repeat([]byte("words "), 200))})
		}
		save(t, db, c)
	}
	closed(t, db)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDamagedAtOpen(t *testing.T) {
	whole := fullFile(t)
	flipped := bytes.Clone(whole)
	for i := range 64 {
		flipped[i] ^= 0xff
	}
	schema := bytes.Clone(whole)
	for i := 100; i < 4096; i++ {
		schema[i] ^= 0x55
	}
	for name, content := range map[string][]byte{
		"truncated to half":   whole[:len(whole)/2],
		"truncated in a page": whole[:len(whole)-1000],
		"only a header":       whole[:100],
		"header flipped":      flipped,
		"first page flipped":  schema,
		"a text":              []byte("not a database, but long enough to be looked at as one\n"),
		"one byte":            {'x'},
	} {
		path := filepath.Join(t.TempDir(), "kandev.db")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if db, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrNotDatabase) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				closed(t, db)
			}
			continue
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, content) {
			t.Errorf("%s: the broken file was changed", name)
		}
		if _, err := SetAside(path, epoch); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		closed(t, openAt(t, path, Options{}))
	}
}

func TestZeroBytesIsNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	save(t, openAt(t, path, Options{}), sample("s_1"))
}

// Flipped bytes anywhere end in an error or in rows, never in a panic or a
// hang; damage of the structure is called by its name.
func TestFlippedBytes(t *testing.T) {
	whole := fullFile(t)
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 30 {
		content := bytes.Clone(whole)
		page := random.IntN(len(content) / 4096)
		at := page * 4096 // the head of a page is structure
		if random.IntN(2) == 0 {
			at += random.IntN(4096)
		}
		for i := at; i < min(at+8, len(content)); i++ {
			content[i] ^= byte(1 + random.IntN(255))
		}
		path := filepath.Join(t.TempDir(), "kandev.db")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := useAll(t, path); err != nil {
			found++
			if !errors.Is(err, ErrNotDatabase) && !errors.Is(err, ErrRow) {
				t.Errorf("flipped at %d: %v", at, err)
			}
		}
	}
	if found < 6 {
		t.Errorf("only %d of 30 damages were found", found)
	}
}

// useAll opens a database, checks it, reads and writes it.
func useAll(t *testing.T, path string) error {
	ctx := t.Context()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close(ctx) }()
	errs := []error{db.QuickCheck(ctx)}
	_, err = db.Sessions(ctx)
	errs = append(errs, err)
	_, err = db.LoadAttachmentSummaries(ctx)
	errs = append(errs, err)
	for _, id := range []session.ID{"s_1", "s_2", "s_3"} {
		_, err = db.LoadAttachment(ctx, id)
		if !errors.Is(err, session.ErrNotFound) { // its id was flipped
			errs = append(errs, err)
		}
		_, err = db.Transcript(ctx, id, 0, 0)
		errs = append(errs, err)
	}
	_, err = db.SaveSession(ctx, sample("s_4"))
	errs = append(errs, err)
	for _, err := range errs { // each by itself: Join would hide a foreign one
		if err != nil && !errors.Is(err, ErrNotDatabase) && !errors.Is(err, ErrRow) {
			return err
		}
	}
	return errors.Join(errs...)
}
