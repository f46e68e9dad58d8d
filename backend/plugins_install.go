package backend

import (
	"context"

	"kandev/backend/plugin"
	"kandev/backend/wasm"
)

// InstallPlugin installs the file of the digest that InspectPlugin gave, and
// answers its id. A new plugin is off. One that is installed is updated: it
// stays as it is unless it asks for more than it was granted. What is written
// first is the module, then the row: an end in between leaves a file that the
// next start removes, never a plugin without its module.
func (s *PluginStore) InstallPlugin(ctx context.Context, path, digest string) (string, error) {
	data, err := ReadPluginFile(path)
	if err != nil {
		return "", err
	}
	if digestOf(data) != digest {
		return "", ErrPluginChanged
	}
	c, problem, err := s.candidate(ctx, path, data)
	if err != nil {
		return "", err
	}
	if problem != nil {
		return "", refusal([]error{problem})
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	if problems := s.problems(ctx, c); len(problems) > 0 {
		return "", refusal(problems)
	}
	return c.manifest.ID, s.install(ctx, c)
}

// install writes module and row and puts the version into memory. s.changing
// is held.
func (s *PluginStore) install(ctx context.Context, c candidate) error {
	id, now := c.manifest.ID, s.o.now()
	before, err := s.get(id)
	known := err == nil
	next := plugin.FirstInstalled(c.manifest, now)
	if known {
		if next, err = before.Update(c.manifest, now); err != nil {
			return err
		}
		if next.Status == before.Status && before.Same(c.manifest) {
			return s.writeModule(id, c.pkg.SHA256, c.pkg.Wasm) // it may have been damaged
		}
	}
	if err := s.writeModule(id, c.pkg.SHA256, c.pkg.Wasm); err != nil {
		return err
	}
	if err := s.o.db.SavePlugin(ctx, next); err != nil {
		if !known || before.Manifest.Wasm.SHA256 != c.pkg.SHA256 {
			s.dropModule(id, c.pkg.SHA256)
		}
		return err
	}
	err = s.replace(next)
	if known && before.Manifest.Wasm.SHA256 != c.pkg.SHA256 {
		s.dropModule(id, before.Manifest.Wasm.SHA256)
	}
	for key, name := range before.Secrets {
		if next.Secrets[key] != name {
			s.o.secrets.forget(ctx, name)
		}
	}
	s.o.log.Info("plugin installed", "plugin", id, "version", next.Manifest.Version, "sha256", c.pkg.SHA256, "state", next.Status.State)
	return err
}

// replace puts a stored row into memory: what ran of the one before is out of
// every session first, then its calls are ended, then it is gone. s.changing is
// held. The error is that of a plugin that cannot be offered; it is off then.
func (s *PluginStore) replace(next plugin.Installation) error {
	id := next.Manifest.ID
	s.mu.Lock()
	h := s.all[id]
	if h == nil {
		s.seq++
		h = &heldPlugin{seq: s.seq}
		s.all[id] = h
	}
	old := h.run
	fresh := &heldPlugin{Installation: next.Clone(), seq: h.seq, runs: h.runs}
	var err error
	if next.Status.Offered() && !s.closed {
		err = s.open(fresh)
		if err != nil {
			fresh.Installation = fresh.Disable(plugin.Unusable, sentence(err), s.o.now())
		}
	}
	swapped := old != nil || fresh.run != nil
	s.all[id] = fresh
	s.touch()
	s.mu.Unlock()
	s.tell(swapped)
	if old != nil {
		old.Close()
	}
	if fresh.run != nil {
		s.warm(id, fresh.run)
	}
	return err
}

// warm makes a plugin ready a little later, so that its first call need not,
// and one that cannot be loaded is known. One is loaded at a time.
func (s *PluginStore) warm(id string, run *wasm.Plugin) {
	if !s.o.warm {
		return
	}
	s.background(func() {
		if !s.rest(warmAfter) {
			return
		}
		s.warming.Lock()
		defer s.warming.Unlock()
		if s.ctx.Err() == nil && s.runs(id, run) {
			s.loaded(id, run, run.Load(s.ctx))
		}
	})
}
