package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"kandev/backend/builtin"
	"kandev/backend/plugin"
	"kandev/backend/sqlite"
	"kandev/backend/tool"
	"kandev/backend/wasm"
)

// Errors of plugins, in words for a person.
var (
	ErrPluginNotFound = errors.New("no plugin with this id is installed")
	ErrPluginChanged  = errors.New("the file is not the one that was shown: look at it again")
	ErrPluginRefused  = errors.New("this plugin cannot be installed")
	ErrPluginValue    = errors.New("the value cannot be saved")
)

// warmAfter is how long after it was enabled a plugin is made ready, so that
// one that is switched on and off again costs nothing.
const warmAfter = 500 * time.Millisecond

// pluginOptions are what the store acts through.
type pluginOptions struct {
	home     string
	version  string
	db       *sqlite.DB
	secrets  vault
	log      *slog.Logger
	now      func() time.Time
	estimate func([]byte) (int, error) // the tokenizer; nil = unavailable
	// changed: the set of offered tools is another one. told: something that the
	// window shows is. Both are called without the store's lock; nil = nobody.
	changed func()
	told    func(revision uint64)
	warm    bool // make enabled plugins ready in the background
	sweep   bool // folders and secrets that no row names may be removed
}

// PluginStore is the installed plugins: their rows, files and values, and what
// runs of them. Its methods are safe for concurrent use. The app has one inside
// its Backend; the command line opens one with OpenPlugins.
type PluginStore struct {
	o     pluginOptions
	ctx   context.Context // ends in close
	end   context.CancelFunc
	wg    sync.WaitGroup // what runs in the background
	close func() error   // of OpenPlugins

	changing sync.Mutex // orders changes; held while files and rows are written
	warming  sync.Mutex // orders loads in the background

	mu     sync.Mutex
	closed bool
	all    map[string]*heldPlugin
	seq    int
	rev    uint64
	turns  int64
	trials map[string]trial // of bare modules that were looked at, by digest
}

// heldPlugin is one installed plugin in memory. Its fields are guarded by the
// store's mu; run is replaced, never changed.
type heldPlugin struct {
	plugin.Installation
	seq      int
	run      *wasm.Plugin // nil unless offered
	tools    []tool.Definition
	failures []time.Time
	badLoad  uint64      // the newest load of run that counts among them
	runs     []PluginRun // newest first
	shown    *shownTools // for the window, made once a version

	changed bool // its file is not the one that was installed

	size int   // of its module, once that was read
	turn int64 // when it was used last, by the store's own count
}

// newPluginStore puts rows into memory. Nothing is read, compiled or run yet.
func newPluginStore(o pluginOptions, rows []plugin.Installation) *PluginStore {
	s := &PluginStore{o: o, all: map[string]*heldPlugin{}, trials: map[string]trial{}, rev: 1}
	s.ctx, s.end = context.WithCancel(context.Background())
	for _, row := range rows {
		s.seq++
		h := &heldPlugin{Installation: row.Clone(), seq: s.seq}
		if row.Status.Offered() {
			if err := s.open(h); err != nil {
				h.Installation = h.Disable(plugin.Unusable, sentence(err), o.now())
			}
		}
		s.all[row.Manifest.ID] = h
	}
	if o.sweep {
		s.wg.Go(s.sweepLeft)
	}
	return s
}

// shut ends every plugin: running calls are told so, and waited for.
func (s *PluginStore) shut() {
	s.mu.Lock()
	s.closed = true
	var running []*wasm.Plugin
	for _, h := range s.all {
		if h.run != nil {
			running = append(running, h.run)
		}
	}
	s.mu.Unlock()
	s.end()
	for _, run := range running {
		run.Close()
	}
	s.wg.Wait()
}

// open makes the run of a plugin that is to be offered.
func (s *PluginStore) open(h *heldPlugin) error {
	run, err := s.runOf(h)
	if err != nil {
		return err
	}
	h.run, h.tools, h.failures = run, run.Definitions(), nil
	return nil
}

// get returns the row of a plugin.
func (s *PluginStore) get(id string) (plugin.Installation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.all[id]
	if h == nil {
		return plugin.Installation{}, fmt.Errorf("%w: %s", ErrPluginNotFound, id)
	}
	return h.Installation, nil
}

// ordered returns the plugins in the order they were installed. Lock held.
func (s *PluginStore) ordered() []*heldPlugin {
	return slices.SortedFunc(maps.Values(s.all), func(a, b *heldPlugin) int { return cmp.Compare(a.seq, b.seq) })
}

// offered are the tools of every enabled plugin, in the order of installation,
// and the number of this set.
func (s *PluginStore) offered() (rev uint64, out []tool.Definition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.ordered() {
		if h.run != nil {
			out = append(out, h.tools...)
		}
	}
	return s.rev, out
}

// touch counts a change that the window shows. Lock held; tell afterwards.
func (s *PluginStore) touch() { s.rev++ }

// tell tells the window, and with swapped the sessions first.
func (s *PluginStore) tell(swapped bool) {
	if swapped && s.o.changed != nil {
		s.o.changed()
	}
	s.mu.Lock()
	rev := s.rev
	s.mu.Unlock()
	if s.o.told != nil {
		s.o.told(rev)
	}
}

// builtins are the tools of every profile, for names that are taken.
func builtins() []tool.Definition {
	return builtin.Tools(builtin.Profile{Provisional: true}, builtin.Host{})
}
