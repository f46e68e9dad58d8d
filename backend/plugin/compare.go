package plugin

import (
	"bytes"
	"encoding/json"
	"reflect"
	"time"
)

// Difference is what putting a manifest in the place of an installed one would
// change. Tools go by the plugin's own names, in the order of their manifest.
type Difference struct {
	Same                    bool   // see Installation.Same
	Asks                    Asks   // beyond what was granted
	After                   Status // once it is installed
	Added, Removed, Changed []string
}

// Compare holds a manifest of the same id against the installed one.
func (i Installation) Compare(m Manifest, now time.Time) Difference {
	d := Difference{Same: i.Same(m), Asks: m.Permissions.Beyond(i.granted()), After: i.Status}
	if next, err := i.Update(m, now); err == nil {
		d.After = next.Status
	}
	for _, t := range m.Tools {
		old, had := i.Manifest.Tool(t.Name)
		switch {
		case !had:
			d.Added = append(d.Added, t.Name)
		case !sameTool(old, t):
			d.Changed = append(d.Changed, t.Name)
		}
	}
	for _, t := range i.Manifest.Tools {
		if _, has := m.Tool(t.Name); !has {
			d.Removed = append(d.Removed, t.Name)
		}
	}
	return d
}

// Same reports whether a manifest is the very one that is installed, its module
// too, but for the keys that a person added and blanks in schemas.
func (i Installation) Same(m Manifest) bool {
	if m.Bare && i.Manifest.Bare && len(i.Added) > 0 {
		with, err := m.WithConfig(i.Added...)
		if err != nil {
			return false
		}
		m = with
	}
	a, errA := json.Marshal(i.Manifest.compact())
	b, errB := json.Marshal(m.compact())
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// SameGrant reports whether two rows were granted the same.
func (i Installation) SameGrant(o Installation) bool {
	a, b := i.granted(), o.granted()
	return Request(a).Beyond(b).Nothing() && Request(b).Beyond(a).Nothing()
}

func sameTool(a, b Tool) bool {
	return a.Description == b.Description && bytes.Equal(compacted(a.InputSchema), compacted(b.InputSchema)) &&
		reflect.DeepEqual(a.Annotations, b.Annotations)
}

// compact is the manifest with schemas in one spelling.
func (m Manifest) compact() Manifest {
	m.Tools = append([]Tool{}, m.Tools...)
	for i := range m.Tools {
		m.Tools[i].InputSchema = compacted(m.Tools[i].InputSchema)
	}
	return m
}

func compacted(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
