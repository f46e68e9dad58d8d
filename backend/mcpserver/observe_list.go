package mcpserver

import (
	"bytes"
	"errors"

	"kandev/backend/attach"
	"kandev/backend/catalog"
)

// written is one tools/list answer as it left.
type written struct {
	chunks     [][]byte // the body's bytes, shared with the rendered set
	tools      *served  // what this request presented
	connection string
}

// parsed is the last list the observer read. The same rendered set is the same
// bytes, so a client that lists over and over costs one parse.
type parsed struct {
	tools   *served
	list    catalog.List
	catalog catalog.Catalog
	digests attach.Digests
}

var errOutdated = errors.New("mcpserver: a newer list waits")

// observeList records the catalog of a served list, then its estimates.
func (w *observer) observeList(o observation) {
	if w.last.tools != o.list.tools {
		list, err := catalog.Parse(bytes.Join(o.list.chunks, nil), o.list.tools.presented)
		if err != nil {
			w.log.Error("mcp list could not be read back", "err", err)
			return
		}
		w.last = parsed{tools: o.list.tools, list: list, catalog: list.Catalog(), digests: catalog.Digests(list)}
	}
	ev := o.evidence
	entries := w.last.catalog
	ev.Catalog, ev.Digests = &entries, w.last.digests
	w.o.Record(ev)

	counted := attach.Evidence{Kind: attach.ToolsListCounted, Attempt: ev.Attempt, Server: ev.Server, Order: ev.Order}
	if w.o.Estimate != nil {
		counts, ok := w.count(w.last.list)
		if !ok {
			return
		}
		counted.Counts = &counts
	}
	counted.At = w.o.Now()
	w.o.Record(counted)
}

// count adds up the estimates; false when they are of no use any more.
func (w *observer) count(list catalog.List) (catalog.Counts, bool) {
	stopped := false
	counts := list.Count(func(toolJSON []byte) (int, error) {
		if stopped = stopped || w.abandon.Load() || w.listWaits(); stopped {
			return 0, errOutdated
		}
		return w.o.Estimate(toolJSON)
	}, w.o.Count)
	return counts, !stopped
}
