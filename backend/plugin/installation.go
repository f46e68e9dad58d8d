package plugin

import (
	"maps"
	"slices"
	"time"
)

// Installation is one installed plugin as it is kept. A value is read only:
// its methods return the next one. It holds no secret, only the names that the
// secret store knows them by.
type Installation struct {
	Manifest Manifest `json:"manifest"`
	Status   Status   `json:"status"`
	// Grant is what a person gave; nil while nobody gave anything. It is a record
	// apart from the request, which is in the manifest.
	Grant *Grant `json:"grant,omitempty"`
	// Added are the configuration keys that a person added to a bare module; the
	// manifest's Config has them as well.
	Added   []Field           `json:"added,omitempty"`
	Values  map[string]string `json:"values,omitempty"`  // of keys that are no secret
	Secrets map[string]string `json:"secrets,omitempty"` // key to the secret's name

	InstalledAt time.Time `json:"installed_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// FirstInstalled is a plugin right after its first installation: off.
func FirstInstalled(m Manifest, now time.Time) Installation {
	return Installation{Manifest: m, Status: New(now), InstalledAt: now, UpdatedAt: now}
}

// Asks is what the plugin asks for beyond what it was granted.
func (i Installation) Asks() Asks { return i.Manifest.Permissions.Beyond(i.granted()) }

func (i Installation) granted() Grant {
	if i.Grant == nil {
		return Grant{}
	}
	return *i.Grant
}

// RunsWith is what the plugin runs with: what it asks for, where that was granted,
// and for a bare module, which asks for nothing, what the person gave it.
func (i Installation) RunsWith() Grant {
	if i.Manifest.Bare {
		return i.granted().Sound()
	}
	return i.Manifest.Permissions.Granted().Sound()
}

// Enable turns the plugin on with a grant, which has to cover the request. A
// plugin with a manifest keeps no more of it than it asks for; a bare module
// keeps it all. The error wraps ErrNotGranted, or
// says which host is none.
func (i Installation) Enable(g Grant, now time.Time) (Installation, error) {
	if err := g.Check(); err != nil {
		return i, err
	}
	g = g.Sound()
	status, err := i.Status.Enable(i.Manifest.Permissions.Beyond(g), now)
	if err != nil {
		return i, err
	}
	if !i.Manifest.Bare {
		g = i.Manifest.Permissions.Granted()
	}
	i.Status, i.Grant = status, &g
	return i, nil
}

// Disable turns the plugin off, see Status.Disable.
func (i Installation) Disable(why Reason, detail string, now time.Time) Installation {
	i.Status = i.Status.Disable(why, detail, now)
	return i
}

// Update puts another version in the place of this one. The grant stays, and so
// do the values that the new version still declares in the same way. The very
// version that is installed changes nothing but what Status.Again says.
func (i Installation) Update(m Manifest, now time.Time) (Installation, error) {
	if i.Same(m) {
		i.Status = i.Status.Again(now)
		return i, nil
	}
	next := Installation{Manifest: m, Grant: i.Grant, InstalledAt: i.InstalledAt, UpdatedAt: now}
	if m.Bare && len(i.Added) > 0 {
		with, err := m.WithConfig(i.Added...)
		if err != nil {
			return i, err
		}
		next.Manifest, next.Added = with, i.Added
	}
	next.Status = i.Status.Update(next.Asks(), now)
	next.Values, next.Secrets = map[string]string{}, map[string]string{}
	for _, f := range next.Manifest.Config {
		if value, ok := i.Values[f.Key]; ok && !f.Secret && f.CheckValue(value) == nil {
			next.Values[f.Key] = value
		}
		if name, ok := i.Secrets[f.Key]; ok && f.Secret {
			next.Secrets[f.Key] = name
		}
	}
	return next, nil
}

// Set reports whether a configuration value is kept.
func (i Installation) Set(key string, secret bool) bool {
	if secret {
		_, ok := i.Secrets[key]
		return ok
	}
	_, ok := i.Values[key]
	return ok
}

// Missing lists the required configuration values that are not set.
func (i Installation) Missing() []string { return i.Manifest.MissingConfig(i.Set) }

// Clone returns a copy whose maps the caller may change.
func (i Installation) Clone() Installation {
	i.Added = slices.Clone(i.Added)
	i.Values, i.Secrets = maps.Clone(i.Values), maps.Clone(i.Secrets)
	if i.Values == nil {
		i.Values = map[string]string{}
	}
	if i.Secrets == nil {
		i.Secrets = map[string]string{}
	}
	return i
}

// WithoutAdded takes a key away that a person had added; others stay.
func (i Installation) WithoutAdded(key string) Installation {
	is := func(f Field) bool { return f.Key == key }
	if slices.ContainsFunc(i.Added, is) {
		i.Added = slices.DeleteFunc(slices.Clone(i.Added), is)
		i.Manifest.Config = slices.DeleteFunc(slices.Clone(i.Manifest.Config), is)
	}
	return i
}
