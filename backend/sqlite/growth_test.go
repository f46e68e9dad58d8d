package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/session"
)

// fullCatalog is as big as a catalog gets: 128 tools, 512 KiB of schemas.
func fullCatalog(seed uint64) *catalog.Catalog {
	random := rand.New(rand.NewPCG(seed, 0))
	c := &catalog.Catalog{Total: catalog.MaxTools}
	for n := range catalog.MaxTools {
		schema := fmt.Sprintf(`{"type":"object","title":"%d","description":"%s"}`, random.Uint64(), strings.Repeat("words of a schema ", 224))
		c.Entries = append(c.Entries, catalog.Entry{
			Served: fmt.Sprintf("tool_%03d", n), Description: strings.Repeat("d", catalog.MaxDescription),
			InputSchema: schema, SchemaBytes: len(schema),
		})
	}
	return c
}

func withCatalog(id session.ID, c *catalog.Catalog) Change {
	h := history(1, "w")
	h.Current().Servers[0].Catalog = c
	return attached(id, h)
}

// A list_changed storm of 10,000 lists: equal lists write no definition, and
// changed ones never grow the files beyond a few catalogs.
func TestWALBounded(t *testing.T) {
	b := newBench(t, WriterOptions{})
	c := fullCatalog(1)
	b.Now("s_1", b.change(withCatalog("s_1", c)))
	receive(t, "write", b.saved)
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		b.Dirty("s_1", b.change(withCatalog("s_1", c)))
	}
	b.clock.advance(t, writeEvery)
	receive(t, "write", b.saved)
	for range 10 {
		equal := *c
		b.Now("s_1", b.change(withCatalog("s_1", &equal)))
		receive(t, "write", b.saved)
	}
	if n := b.db.walSize(); n > 256<<10 {
		t.Errorf("equal catalogs left %d bytes of WAL", n)
	}
	most := int64(0)
	for n := range 20 {
		b.Now("s_1", b.change(withCatalog("s_1", fullCatalog(uint64(n+2)))))
		receive(t, "write", b.saved)
		most = max(most, b.db.walSize())
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(b.db.path)
	if err != nil || info.Size() > 4<<20 || most > 4<<20 || b.db.walSize() != 0 {
		t.Errorf("database %d bytes, WAL at most %d, now %d", info.Size(), most, b.db.walSize())
	}
}

// A reader that never ends: beyond the limit writes become as rare as retries.
func TestWALWithForgottenReader(t *testing.T) {
	b := newBench(t, WriterOptions{maxWAL: 1 << 20})
	b.Now("s_1", b.change(withCatalog("s_1", fullCatalog(1))))
	receive(t, "write", b.saved)
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := foreign(t, b.db.path)
	mustExec(t, other, "BEGIN")
	_ = count(t, other, "SELECT count(*) FROM session")
	for n := range 4 {
		b.Now("s_1", b.change(withCatalog("s_1", fullCatalog(uint64(n+2)))))
		receive(t, "write", b.saved)
	}
	b.clock.advance(t, checkpointRetry)
	b.clock.waits(t, checkpointRetry) // the checkpoint was tried and prevented
	b.Dirty("s_1", b.change(newSession("s_1")))
	b.Writer.mu.Lock()
	due := b.pending["s_1"].due.Sub(b.clock.Now())
	b.Writer.mu.Unlock()
	if due != lastRetry {
		t.Errorf("the next write is due in %v", due)
	}
	mustExec(t, other, "ROLLBACK")
	if err := b.Flush(t.Context()); err != nil || b.db.walSize() != 0 {
		t.Errorf("%v, %d bytes", err, b.db.walSize())
	}
}

// Many sessions, readers and the writer at once; what comes out is the newest.
func TestConcurrency(t *testing.T) {
	db := openNew(t)
	w := NewWriter(db, WriterOptions{Fault: func(err error) { t.Error(err) }})
	var wg sync.WaitGroup
	const sessions, rounds = 6, 24
	for s := range sessions {
		id := session.ID(fmt.Sprintf("s_%d", s))
		var memory atomic.Pointer[attach.History] // immutable values, as in the backend
		var stored atomic.Uint64
		change := func() Change {
			h := memory.Load()
			c := attached(id, h)
			c.Saved = func() { stored.Store(h.CatalogRev) }
			return c
		}
		wg.Go(func() {
			for n := range rounds {
				h := history(1+n%3, fmt.Sprint(n))
				h.CatalogRev = uint64(n + 1)
				memory.Store(h)
				if n%4 == 0 {
					w.Now(string(id), change)
				} else {
					w.Dirty(string(id), change)
				}
				if _, err := db.Transcript(t.Context(), id, 0, 10); err != nil {
					t.Error(err)
				}
				if h, err := db.LoadAttachment(t.Context(), id); err == nil && h.Current() != nil && h.Current().Servers[0].Catalog == nil {
					t.Error("an attempt was read without its catalog")
				}
			}
		})
		wg.Go(func() {
			for range rounds {
				if _, err := db.LoadAttachmentSummaries(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := db.Checkpoint(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Close()
	for id, h := range must(db.LoadAttachmentSummaries(t.Context()))(t) {
		if h.CatalogRev != rounds {
			t.Errorf("%s: stored %d", id, h.CatalogRev)
		}
	}
	closed(t, db)
}

// Boot with 200 sessions, each with a full catalog, against an empty database.
func BenchmarkBoot(b *testing.B) {
	for _, sessions := range []int{0, 200} {
		path := filepath.Join(b.TempDir(), "kandev.db")
		db := openAt(b, path, Options{})
		for n := range sessions {
			id := session.ID(fmt.Sprintf("s_%03d", n))
			save(b, db, withCatalog(id, fullCatalog(uint64(n))))
		}
		closed(b, db)
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			for b.Loop() {
				db := openAt(b, path, Options{})
				must(db.Sessions(b.Context()))(b)
				must(db.OpenQuestions(b.Context()))(b)
				must(db.OpenPermissions(b.Context()))(b)
				if n := len(must(db.LoadAttachmentSummaries(b.Context()))(b)); n != sessions {
					b.Fatal(n)
				}
				closed(b, db)
			}
		})
	}
}

// A full catalog, written when it changed and read for the explorer.
func BenchmarkFullCatalog(b *testing.B) {
	db := openNew(b)
	values := []Change{withCatalog("s_1", fullCatalog(1)), withCatalog("s_1", fullCatalog(2))}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			save(b, db, values[0])
		}
	})
	b.Run("changed", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			save(b, db, values[n%2])
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			must(db.LoadAttachment(b.Context(), "s_1"))(b)
		}
	})
}
