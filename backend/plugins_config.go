package backend

import (
	"context"
	"fmt"

	"kandev/backend/plugin"
	"kandev/backend/secret"
)

// ConfigurePlugin keeps configuration values; those that are not named stay. A
// running plugin reads them at its next call. A bare module may be given keys
// that it did not declare. Values of secrets go to the secret store under a new
// name first, then the row, then the old ones are forgotten: a fault in between
// leaves a value that nobody names.
func (s *PluginStore) ConfigurePlugin(ctx context.Context, id string, values []PluginValue) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	before, err := s.get(id)
	if err != nil {
		return err
	}
	next := before.Clone()
	fresh := map[string]string{} // secret's name to value
	for _, v := range values {
		if err := setValue(&next, v, fresh); err != nil {
			return err
		}
	}
	if err := s.o.secrets.keep(ctx, fresh, func() error { return s.o.db.SavePlugin(ctx, next) }); err != nil {
		return err
	}
	s.adopt(next)
	for key, name := range before.Secrets {
		if next.Secrets[key] != name {
			s.o.secrets.forget(ctx, name)
		}
	}
	return nil
}

// adopt puts new values into memory; what runs goes on.
func (s *PluginStore) adopt(next plugin.Installation) {
	s.mu.Lock()
	if h := s.all[next.Manifest.ID]; h != nil {
		h.Installation = next
		s.touch()
	}
	s.mu.Unlock()
	s.tell(false)
}

// setValue changes one value of a row; a secret's goes into fresh.
func setValue(i *plugin.Installation, v PluginValue, fresh map[string]string) error {
	f, declared := i.Manifest.Field(v.Key)
	if !declared {
		if !i.Manifest.Bare {
			return fmt.Errorf("%w: the plugin has no value %.60q", ErrPluginValue, v.Key)
		}
		if v.Keep || v.Value == "" {
			return nil
		}
		f = plugin.Field{Key: v.Key, Type: plugin.FieldString, Secret: v.Secret}
		m, err := i.Manifest.WithConfig(f)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrPluginValue, err)
		}
		i.Manifest, i.Added = m, append(i.Added, f)
	}
	if v.Keep {
		return nil
	}
	delete(i.Values, f.Key)
	delete(fresh, i.Secrets[f.Key]) // a key that comes twice
	delete(i.Secrets, f.Key)
	if v.Value == "" {
		*i = i.WithoutAdded(f.Key)
		return nil
	}
	if err := f.CheckValue(v.Value); err != nil {
		return fmt.Errorf("%w: %w", ErrPluginValue, err)
	}
	if !f.Secret {
		i.Values[f.Key] = v.Value
		return nil
	}
	if len(v.Value) > secret.MaxValue {
		return fmt.Errorf("%w: %s: %w", ErrPluginValue, f.Key, secret.ErrTooLong)
	}
	name := plugin.Folder(i.Manifest.ID) + "/" + newID("v")
	fresh[name] = v.Value
	i.Secrets[f.Key] = name
	return nil
}

// value is what a running plugin is given for one of its declared keys.
func (s *PluginStore) value(ctx context.Context, id, key string) (string, bool) {
	row, err := s.get(id)
	if err != nil {
		return "", false
	}
	if name, ok := row.Secrets[key]; ok {
		value, err := s.o.secrets.Get(ctx, name)
		if err != nil {
			s.o.log.Warn("plugin's secret not read", "plugin", id, "key", key, "err", err)
		}
		return value, err == nil
	}
	value, ok := row.Values[key]
	return value, ok
}

// SecretPlace says where the value of a secret would be kept.
func (s *PluginStore) SecretPlace(ctx context.Context) secret.Place { return s.o.secrets.Place(ctx) }
