package attach

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/catalog"
)

func startOf(id string) Evidence {
	return Evidence{Kind: Started, Attempt: id, Execution: "x", Reason: StartRestart, At: epoch}
}

func TestBounds(t *testing.T) {
	h := History{}
	for i := range MaxAttempts + 2 {
		h, _ = Reduce(h, startOf(fmt.Sprint("a", i)))
		if want := min(i+1, MaxAttempts); len(h.Attempts) != want {
			t.Fatalf("%d attempts started: %d kept, want %d", i+1, len(h.Attempts), want)
		}
	}
	if h.Attempts[0].ID != "a2" || h.Current().ID != "a4" {
		t.Errorf("kept %s to %s, want a2 to a4", h.Attempts[0].ID, h.Current().ID)
	}

	h = after()
	for i := range MaxEvidence * 2 {
		e := evidence(ToolCallObserved)
		e.At = epoch.Add(time.Duration(i) * time.Second)
		h, _ = Reduce(h, e)
	}
	if n := len(h.Current().Evidence); n != MaxEvidence {
		t.Errorf("%d pieces of evidence kept, want %d", n, MaxEvidence)
	}
	if h.Current().Servers[0].Times.Configured == nil {
		t.Error("a projected time went with its evidence")
	}

	for i := range MaxConnections + 5 {
		e := evidence(HandshakeObserved)
		e.Connection = fmt.Sprint("c", i)
		h, _ = Reduce(h, e)
	}
	if n := len(h.Current().Servers[0].open); n != MaxConnections {
		t.Errorf("%d connections open, want %d", n, MaxConnections)
	}

	e := evidence(Failed)
	e.Summary = strings.Repeat("€", 200)
	h, _ = Reduce(h, e)
	if s := h.Current().Servers[0].Summary; len(s) > MaxSummary || !strings.HasPrefix(s, "€") {
		t.Errorf("summary of %d bytes, limit %d", len(s), MaxSummary)
	}
}

func TestOneOfTwoConnectionsCloses(t *testing.T) {
	h := after(HandshakeObserved)
	second := evidence(HandshakeObserved)
	second.Connection = "c2"
	h, _ = Reduce(h, second)
	h, _ = Reduce(h, evidence(ConnectionClosed))
	if got := statusOf(h); got != StatusConnected {
		t.Errorf("%s with one connection open", got)
	}
	second.Kind = ConnectionClosed
	h, _ = Reduce(h, second)
	if got := statusOf(h); got != StatusDisconnected || h.Current().Servers[0].Times.Closed == nil {
		t.Errorf("%s after the last connection closed", got)
	}
}

func TestOlderCountIsDropped(t *testing.T) {
	h := after(ToolsListObserved)
	newer := evidence(ToolsListObserved)
	newer.Order, newer.Catalog = 2, list("x", "y")
	h, _ = Reduce(h, newer)
	h, changed := Reduce(h, evidence(ToolsListCounted)) // of list 1
	s := h.Current().Servers[0]
	if changed || s.TokensTotal != nil || !s.Counting || *s.ToolCount != 2 {
		t.Errorf("an older count was applied: %+v", s)
	}
}

// TestCountsGoWithTheirList: a new list never shows the estimates of the old one.
func TestCountsGoWithTheirList(t *testing.T) {
	h := after(ToolsListObserved, ToolsListCounted)
	s := h.Current().Servers[0]
	if s.TokensTotal == nil || *s.TokensTotal != 7 || s.Method != catalog.Method || s.Counting {
		t.Fatalf("not counted: %+v", s)
	}
	newer := evidence(ToolsListObserved)
	newer.Order = 2
	h, _ = Reduce(h, newer)
	s = h.Current().Servers[0]
	if s.TokensTotal != nil || s.Method != "" || s.TokensCover != 0 || s.Catalog.Entries[0].Estimate != nil {
		t.Errorf("estimates of an older list: %+v", s)
	}
}

// TestNoTokenizer: without counts the list is there, with no number and no method.
func TestNoTokenizer(t *testing.T) {
	h := after(ToolsListObserved)
	e := evidence(ToolsListCounted)
	e.Counts = nil
	h, _ = Reduce(h, e)
	if s := h.Current().Servers[0]; s.Counting || s.TokensTotal != nil || s.Method != "" || s.Status != StatusActive {
		t.Errorf("%+v", s)
	}
}

// TestSupersededKeepsOnlyFigures: no name, description or schema survives, nor
// how a server was reached, who its client was or what was said of a failure.
func TestSupersededKeepsOnlyFigures(t *testing.T) {
	h := after()
	for _, e := range []Evidence{
		{Kind: Configured, Source: SourceBuiltin, Transport: "http", Target: "http://sentinel:1/x"},
		{Kind: HandshakeObserved, Connection: "c1", Client: "sentinel 1", Protocol: "sentinel 2"},
	} {
		e.Attempt, e.Server, e.At = "a1", BuiltinServer, epoch
		h, _ = Reduce(h, e)
	}
	for _, k := range []Kind{ToolsListObserved, ToolsListCounted, ToolCallObserved, Failed} {
		e := evidence(k)
		e.Summary = "sentinel words"
		h, _ = Reduce(h, e)
	}
	h, _ = Used(h, "a1", "sentinel_kandev", true, false, epoch)
	h, _ = Reduce(h, startOf("a2"))
	old := h.Attempts[0]
	s := old.Servers[0]
	if s.Catalog != nil || s.digests != nil || old.Uses != nil || old.OtherCalls != 0 {
		t.Errorf("a superseded attempt keeps definitions: %+v", old)
	}
	if s.Status != StatusFailed || s.Reason != "r" || s.Transport != "http" || *s.ToolCount != 1 || *s.TokensTotal != 7 || s.Method == "" || s.TokensCover != 1 || old.EndedAt == nil || old.Superseded != "a2" {
		t.Errorf("a superseded attempt lost its figures: %+v", old)
	}
	b, err := json.Marshal(old)
	if err != nil || strings.Contains(string(b), "sentinel") {
		t.Errorf("%s (%v)", b, err)
	}
	if h.CatalogRev != 3 {
		t.Errorf("catalog_rev %d, want 3: listed, counted, gone", h.CatalogRev)
	}
}

func TestMarks(t *testing.T) {
	key := func(s string) [32]byte { return [32]byte{s[0]} }
	listed := func(h History, attempt string, order uint64, d Digests, names ...string) History {
		e := Evidence{Kind: ToolsListObserved, Attempt: attempt, Server: BuiltinServer, At: epoch, Order: order, Catalog: list(names...), Digests: d}
		h, _ = Reduce(h, e)
		return h
	}
	h := listed(after(), "a1", 1, Digests{key("a"): {1}}, "a")
	if h.Current().Servers[0].Catalog.Compared {
		t.Error("compared with nothing")
	}
	h, _ = Reduce(h, startOf("a2"))
	h, _ = Reduce(h, Evidence{Kind: Configured, Attempt: "a2", Server: BuiltinServer, Source: SourceBuiltin, At: epoch})
	h = listed(h, "a2", 1, Digests{}, "a", "b")
	c := h.Current().Servers[0].Catalog
	if !c.Compared {
		t.Fatal("the first list of a second attempt was not compared")
	}
	if h.Current().previous != nil {
		t.Error("the digests were kept after the comparison")
	}
}

// TestMarksOfALaterList: what stays as it was first listed keeps its mark; of what
// came or changed since it is not known how it differs from the attempt before.
func TestMarksOfALaterList(t *testing.T) {
	sum := func(s string) [32]byte { return sha256.Sum256([]byte(s)) }
	listed := func(h History, attempt string, order uint64, definitions map[string]string) History {
		d, names := Digests{}, slices.Sorted(maps.Keys(definitions))
		for name, definition := range definitions {
			d[sum(name)] = sum(definition)
		}
		h, _ = Reduce(h, Evidence{Kind: ToolsListObserved, Attempt: attempt, Server: BuiltinServer, At: epoch, Order: order, Catalog: list(names...), Digests: d})
		return h
	}
	marks := func(h History) string {
		var out []string
		for _, e := range h.Current().Servers[0].Catalog.Entries {
			out = append(out, e.Served+":"+e.Mark)
		}
		return strings.Join(out, " ")
	}
	h := listed(after(), "a1", 1, map[string]string{"a": "1", "b": "1", "c": "1"})
	h = listed(h, "a1", 2, map[string]string{"a": "1", "z": "1"})
	if got := marks(h); got != "a: z:" || h.Current().Servers[0].Catalog.Compared {
		t.Errorf("with nothing to compare with: %s", got)
	}
	h = listed(after(), "a1", 1, map[string]string{"a": "1", "b": "1", "c": "1"})
	h, _ = Reduce(h, startOf("a2"))
	h, _ = Reduce(h, Evidence{Kind: Configured, Attempt: "a2", Server: BuiltinServer, Source: SourceBuiltin, At: epoch})
	h = listed(h, "a2", 1, map[string]string{"a": "1", "b": "2", "d": "1", "e": "1"})
	if got := marks(h); got != "a: b:changed d:new e:new" {
		t.Errorf("the first list: %s", got)
	}
	h = listed(h, "a2", 2, map[string]string{"a": "2", "b": "2", "c": "1", "d": "1", "e": "2"})
	if got := marks(h); got != "a:unknown b:changed c:unknown d:new e:new" {
		t.Errorf("a later list: %s", got)
	}
	h = listed(h, "a2", 3, map[string]string{"a": "2", "b": "2", "d": "1"})
	if got := marks(h); got != "a:unknown b:changed d:new" {
		t.Errorf("a third list: %s", got)
	}
}

// TestUseIsBounded: names that nobody holds, and too many names, add to one figure.
func TestUseIsBounded(t *testing.T) {
	h := after()
	h, _ = Used(h, "a1", "", false, true, epoch)
	for i := range MaxUses + 3 {
		h, _ = Used(h, "a1", fmt.Sprint("t", i), true, i%2 == 0, epoch)
	}
	a := h.Current()
	if len(a.Uses) != MaxUses || a.OtherCalls != 4 {
		t.Errorf("%d names and %d other calls, want %d and 4", len(a.Uses), a.OtherCalls, MaxUses)
	}
	if _, changed := Used(h, "a0", "t1", true, false, epoch); changed {
		t.Error("a call of another attempt was counted")
	}
}

func TestSameListChangesNothingOfTheCatalog(t *testing.T) {
	h := after(ToolsListObserved)
	rev := h.CatalogRev
	e := evidence(ToolsListObserved)
	for order := uint64(2); order < 22; order++ {
		e.Order, e.Catalog = order, list("x")
		h, _ = Reduce(h, e)
	}
	if h.CatalogRev != rev {
		t.Errorf("catalog_rev grew from %d to %d without a change", rev, h.CatalogRev)
	}
	if n := len(h.Current().Evidence); n > MaxEvidence {
		t.Errorf("%d pieces of evidence", n)
	}
}

func TestChangedFlagOnlyForBuiltin(t *testing.T) {
	h := after(ToolsListObserved, ToolsChanged)
	if !h.Current().Servers[0].ToolsChanged {
		t.Error("tools_changed was not noted")
	}
	back := evidence(ToolsChanged)
	back.Reason = ReasonBack
	if same, changed := Reduce(h, back); !changed || same.Current().Servers[0].ToolsChanged {
		t.Error("the tools are again what was served, and read as changed")
	}
	e := evidence(ToolsListObserved)
	e.Order = 2
	if h, _ = Reduce(h, e); h.Current().Servers[0].ToolsChanged {
		t.Error("a new list did not clear tools_changed")
	}
	third := Evidence{Kind: ToolsChanged, Attempt: "a1", Server: "github", At: epoch}
	if h, _ = Reduce(h, third); len(h.Current().Servers) != 1 {
		t.Error("tools_changed of a third-party server made a row")
	}
}

// TestAttemptsAreNumbered also beyond those that are kept, and after those that
// were stored without a number.
func TestAttemptsAreNumbered(t *testing.T) {
	h := History{}
	for n := 1; n <= MaxAttempts+3; n++ {
		h, _ = Reduce(h, startOf(fmt.Sprint("a", n)))
		if got := h.Current().Number; got != n {
			t.Errorf("attempt %d has number %d", n, got)
		}
	}
	old := History{Attempts: []Attempt{{ID: "a1"}, {ID: "a2"}, {ID: "a3"}}}
	if h, _ = Reduce(old, startOf("a4")); h.Current().Number != 4 {
		t.Errorf("number %d after three without one", h.Current().Number)
	}
}
