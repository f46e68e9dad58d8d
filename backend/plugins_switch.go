package backend

import (
	"context"
	"errors"
	"fmt"

	"kandev/backend/plugin"
)

// EnablePlugin offers a plugin's tools to every session, at once and in those
// that run, with what the person granted. A grant that does not cover the
// request is plugin.ErrNotGranted. Enabling an enabled plugin with the same
// grant changes nothing.
func (s *PluginStore) EnablePlugin(ctx context.Context, id string, grant plugin.Grant) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	before, err := s.get(id)
	if err != nil {
		return err
	}
	next, err := before.Enable(grant, s.o.now())
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	if before.Status.Offered() && before.SameGrant(next) {
		return nil
	}
	if err := s.check(next); err != nil {
		return err
	}
	if err := s.o.db.SavePlugin(ctx, next); err != nil {
		return err
	}
	s.o.log.Info("plugin enabled", "plugin", id)
	return s.replace(next)
}

// check holds the module's file against the manifest.
func (s *PluginStore) check(i plugin.Installation) error {
	module, err := s.readModule(i.Manifest.ID, i.Manifest.Wasm.SHA256)
	if err != nil {
		return fmt.Errorf("%s: its module cannot be read; install it again", i.Manifest.ID)
	}
	if err := plugin.Verify(module, i.Manifest.Wasm.SHA256); err != nil {
		return fmt.Errorf("%s: %w; install it again", i.Manifest.ID, err)
	}
	return nil
}

// DisablePlugin takes a plugin's tools out of every session; running calls of
// it end with a clear error. It is off even when that cannot be stored: the
// error says so.
func (s *PluginStore) DisablePlugin(ctx context.Context, id string) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	before, err := s.get(id)
	if err != nil {
		return err
	}
	next := before.Disable(plugin.ByPerson, "", s.o.now())
	if next.Status == before.Status {
		return nil
	}
	err = s.o.db.SavePlugin(ctx, next)
	if err != nil {
		err = fmt.Errorf("it is off until the app ends; that it stays off could not be stored: %w", err)
	}
	s.o.log.Info("plugin disabled", "plugin", id, "err", err)
	return errors.Join(err, s.replace(next))
}

// RemovePlugin takes a plugin out of every session and removes its row, its
// files and its secret values.
func (s *PluginStore) RemovePlugin(ctx context.Context, id string) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	row, err := s.get(id)
	if err != nil {
		return err
	}
	if err := s.o.db.DeletePlugin(ctx, id); err != nil {
		return err
	}
	s.mu.Lock()
	run := s.all[id].run
	delete(s.all, id)
	s.touch()
	s.mu.Unlock()
	s.tell(run != nil)
	if run != nil {
		run.Close()
	}
	s.dropModule(id, row.Manifest.Wasm.SHA256)
	for _, name := range row.Secrets {
		s.o.secrets.forget(ctx, name)
	}
	s.o.log.Info("plugin removed", "plugin", id)
	return nil
}
