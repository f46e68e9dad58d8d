package backend

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm"
)

// Sentences for the model of a call that is not allowed any more.
var (
	errPluginOff     = errors.New("it was switched off or removed; list the tools again")
	errPluginAsks    = errors.New("it asks for more than it was granted")
	errPluginNotSeen = errors.New("it does not declare this tool any more; list the tools again")
)

// runOf makes what runs of an enabled plugin. It reads no file and runs no
// code. Every call asks again whether it may.
func (s *PluginStore) runOf(h *heldPlugin) (*wasm.Plugin, error) {
	id, sha256 := h.Manifest.ID, h.Manifest.Wasm.SHA256
	var run *wasm.Plugin
	run, err := wasm.Open(wasm.Options{
		Manifest: h.Manifest, Grant: h.RunsWith(), Now: s.o.now,
		Module: func() ([]byte, error) {
			module, err := s.readModule(id, sha256)
			s.using(id, len(module))
			if another(module, sha256, err) {
				s.notTheSame(id)
			}
			return module, err
		},
		Config:  func(ctx context.Context, key string) (string, bool) { return s.value(ctx, id, key) },
		Allowed: func(name string) error { return s.allowed(id, name) },
		Ended:   func(r wasm.Report) { s.ended(id, run, r) },
	})
	return run, err
}

// another reports that what was read, or could not be, is not the module that
// was installed. Other faults, such as too many open files, pass.
func another(module []byte, sha256 string, err error) bool {
	if err == nil {
		return plugin.Verify(module, sha256) != nil
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotAFile) || errors.Is(err, errTooLong)
}

// allowed is asked at every call: that a tool was listed is no permission.
func (s *PluginStore) allowed(id, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.all[id]
	switch {
	case h == nil || h.run == nil || !h.Status.Offered():
		return errPluginOff
	case !h.Asks().Nothing():
		return errPluginAsks
	}
	if _, declared := h.Manifest.Tool(name); !declared {
		return errPluginNotSeen
	}
	return nil
}

// runs reports whether a run is the present one of its plugin.
func (s *PluginStore) runs(id string, run *wasm.Plugin) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.all[id]
	return h != nil && h.run == run
}

// ended notes how a call ended and switches a plugin off that crashes again and
// again. It is called inside the call: what takes long happens behind it.
func (s *PluginStore) ended(id string, run *wasm.Plugin, r wasm.Report) {
	s.mu.Lock()
	h := s.all[id]
	looping, changed := false, false
	if h != nil {
		h.note(PluginRun{At: s.o.now(), Tool: r.Tool, Took: r.Took, Outcome: r.Outcome, Line: r.Line})
		s.touch()
		if h.run == run && r.Outcome.Crashed() {
			looping = h.fails(r.Load, s.o.now())
			changed = h.changed
		}
	}
	s.mu.Unlock()
	s.using(id, 0)
	s.trim()
	s.o.log.Info("plugin call", "plugin", id, "tool", r.Tool, "outcome", string(r.Outcome), "ms", r.Took.Milliseconds())
	switch {
	case changed:
		s.switchOff(id, run, plugin.Changed, changedDetail)
	case looping:
		s.switchOff(id, run, plugin.CrashLoop, plugin.LoopDetail(r.Line))
	}
	s.tell(false)
}

func (h *heldPlugin) note(r PluginRun) {
	h.runs = append([]PluginRun{r}, h.runs...)
	h.runs = h.runs[:min(len(h.runs), maxPluginRuns)]
}

// fails counts a failure and reports whether the plugin loops. However many
// calls waited for a load that failed, that is one. Lock held.
func (h *heldPlugin) fails(load uint64, now time.Time) (looping bool) {
	if load != 0 && load == h.badLoad {
		return false
	}
	h.badLoad = max(h.badLoad, load)
	h.failures, looping = plugin.Failed(h.failures, now)
	return looping
}

// loaded notes how a load in the background ended. A plugin that cannot be used
// is switched off at once.
func (s *PluginStore) loaded(id string, run *wasm.Plugin, err error) {
	s.trim()
	fail, failed := errors.AsType[*wasm.Failure](err)
	if !failed || !fail.Outcome.Crashed() {
		return
	}
	why, detail := plugin.Unusable, sentence(fail)
	s.mu.Lock()
	h := s.all[id]
	if h == nil || h.run != run {
		s.mu.Unlock()
		return
	}
	h.note(PluginRun{At: s.o.now(), Outcome: fail.Outcome, Line: fail.Line})
	s.touch()
	off := fail.Outcome == wasm.Unusable
	if h.changed {
		why, detail = plugin.Changed, changedDetail
	} else if !off { // it took too long, which counts like a call that does
		why, detail = plugin.CrashLoop, plugin.LoopDetail(fail.Line)
		off = h.fails(fail.Load, s.o.now())
	}
	s.mu.Unlock()
	if off {
		s.switchOff(id, run, why, detail)
	}
	s.tell(false)
}

const changedDetail = "Its file is not the one that was installed. Install it again."

// notTheSame notes that a module's file is gone or changed. The plugin is
// switched off when the call that found out has its answer.
func (s *PluginStore) notTheSame(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.all[id]; h != nil {
		h.changed = true
	}
}

// switchOff disables a plugin that went wrong, behind the caller's back: it
// may be called inside a call of that plugin. Only the run that went wrong is
// switched off, not one that took its place.
func (s *PluginStore) switchOff(id string, run *wasm.Plugin, why plugin.Reason, detail string) {
	s.background(func() {
		s.changing.Lock()
		defer s.changing.Unlock()
		row, err := s.get(id)
		if err != nil || !s.runs(id, run) {
			return
		}
		next := row.Disable(why, detail, s.o.now())
		ctx, end := context.WithTimeout(context.WithoutCancel(s.ctx), closeLimit) // also while the app ends
		defer end()
		if err := s.o.db.SavePlugin(ctx, next); err != nil {
			s.o.log.Error("plugin's state not stored", "plugin", id, "err", err)
		}
		s.o.log.Warn("plugin switched off", "plugin", id, "reason", string(why))
		_ = s.replace(next) // a plugin that is off has nothing to open
	})
}

// background runs f in a goroutine that shut waits for; not any more after it.
func (s *PluginStore) background(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.wg.Go(f)
	}
}

// rest waits; false when the store is shut meanwhile.
func (s *PluginStore) rest(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}
