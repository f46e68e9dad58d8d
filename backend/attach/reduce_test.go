package attach

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"kandev/backend/catalog"
)

var epoch = time.Date(2026, 11, 30, 9, 12, 7, 0, time.UTC)

// matrix is the effect on the status: a row a status before, a column a kind.
// Source: spec/attachment.md, "Evidence kinds and status". A dot keeps it.
const matrix = `
             configured filtered    unavailable delivered accepted  handshake_observed tools_list_observed tools_list_counted tools_changed tool_call_observed failed connection_closed execution_ended superseded
unknown      .          filtered    unavailable delivered delivered connected          active              .                  .             .                  failed .                 .               .
delivered    .          filtered    unavailable .         .         connected          active              .                  .             .                  failed .                 .               .
connected    .          .           .           .         .         .                  active              .                  .             .                  failed disconnected      disconnected    disconnected
active       .          .           .           .         .         .                  .                   .                  .             .                  failed disconnected      disconnected    disconnected
disconnected .          .           .           .         .         connected          active              .                  .             .                  failed .                 .               .
failed       .          .           .           .         .         .                  .                   .                  .             .                  .      .                 .               .
filtered     .          .           .           delivered delivered connected          active              .                  .             .                  failed .                 .               .
unavailable  .          .           .           delivered delivered connected          active              .                  .             .                  failed .                 .               .
`

func evidence(k Kind) Evidence {
	e := Evidence{Kind: k, Attempt: "a1", Server: BuiltinServer, At: epoch, Reason: "r"}
	switch k {
	case Started:
		e.Server, e.Execution = "", "x1"
	case ExecutionEnded, Superseded:
		e.Server = ""
	case Configured:
		e.Source, e.Transport = SourceBuiltin, "http"
	case HandshakeObserved, ConnectionClosed:
		e.Connection = "c1"
	case ToolsListObserved:
		e.Order, e.Catalog, e.Connection = 1, list("x"), "c1"
	case ToolsListCounted:
		e.Order, e.Counts = 1, &catalog.Counts{Tools: []catalog.ToolCount{{Served: "x", Estimate: new(7)}}, Total: 7, Cover: 1}
	}
	return e
}

func list(names ...string) *catalog.Catalog {
	c := catalog.Catalog{Entries: []catalog.Entry{}, Total: len(names)}
	for _, n := range names {
		c.Entries = append(c.Entries, catalog.Entry{Served: n})
	}
	return &c
}

func after(kinds ...Kind) History {
	h, _ := Reduce(History{}, evidence(Started))
	for _, k := range append([]Kind{Configured}, kinds...) {
		h, _ = Reduce(h, evidence(k))
	}
	return h
}

func statusOf(h History) Status { return h.Current().Servers[0].Status }

// TestPairs walks every ordered pair of kinds through the matrix.
func TestPairs(t *testing.T) {
	want := parseMatrix(t)
	for _, first := range Kinds {
		for _, second := range Kinds {
			status := StatusUnknown
			for _, k := range []Kind{first, second} {
				if k != Started {
					status = want[status][k]
				}
			}
			if got := statusOf(after(first, second)); got != status {
				t.Errorf("%s then %s: %s, want %s", first, second, got, status)
			}
		}
	}
}

// TestMatrix reaches every status on its shortest way and applies every kind.
func TestMatrix(t *testing.T) {
	ways := map[Status][]Kind{
		StatusUnknown: {}, StatusDelivered: {Delivered}, StatusConnected: {HandshakeObserved},
		StatusActive: {ToolsListObserved}, StatusDisconnected: {HandshakeObserved, ConnectionClosed},
		StatusFailed: {Failed}, StatusFiltered: {Filtered}, StatusUnavailable: {Unavailable},
	}
	want := parseMatrix(t)
	for status, way := range ways {
		if got := statusOf(after(way...)); got != status {
			t.Fatalf("%v: %s, want %s", way, got, status)
		}
		for _, k := range Kinds {
			if k == Started {
				continue
			}
			if got := statusOf(after(append(append([]Kind{}, way...), k)...)); got != want[status][k] {
				t.Errorf("%s + %s: %s, want %s", status, k, got, want[status][k])
			}
		}
	}
}

func parseMatrix(t *testing.T) map[Status]map[Kind]Status {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(matrix), "\n")
	kinds := strings.Fields(lines[0])
	if len(kinds) != len(Kinds)-1 {
		t.Fatalf("the matrix has %d kinds, the package %d", len(kinds), len(Kinds)-1)
	}
	out := map[Status]map[Kind]Status{}
	for _, l := range lines[1:] {
		f := strings.Fields(l)
		row := map[Kind]Status{}
		for i, k := range kinds {
			row[Kind(k)] = Status(f[0])
			if f[i+1] != "." {
				row[Kind(k)] = Status(f[i+1])
			}
		}
		out[Status(f[0])] = row
	}
	return out
}

// TestImmutable: a history that a reader holds is never written to.
func TestImmutable(t *testing.T) {
	for _, first := range Kinds {
		for _, second := range Kinds {
			h := after(first)
			want := fmt.Sprintf("%+v", h)
			next, changed := Reduce(h, evidence(second))
			if got := fmt.Sprintf("%+v", h); got != want {
				t.Errorf("%s then %s wrote to the old history", first, second)
			}
			if !changed && !reflect.DeepEqual(next, h) {
				t.Errorf("%s then %s: unchanged, yet another value", first, second)
			}
		}
	}
}

func TestOtherAttemptDropped(t *testing.T) {
	for _, k := range Kinds[1:] {
		e := evidence(k)
		e.Attempt = "a0"
		if h, changed := Reduce(after(HandshakeObserved), e); changed || statusOf(h) != StatusConnected {
			t.Errorf("%s of another attempt was applied", k)
		}
	}
	if _, changed := Reduce(History{}, evidence(Delivered)); changed {
		t.Error("evidence before any attempt was applied")
	}
}

func TestStartTwiceIsIdempotent(t *testing.T) {
	h := after(ToolsListObserved)
	if next, changed := Reduce(h, evidence(Started)); changed || !reflect.DeepEqual(next, h) {
		t.Error("the same attempt started twice changed the history")
	}
}
