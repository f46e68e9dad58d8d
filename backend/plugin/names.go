package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Parts of a canonical name: kandev_<slug>_<local>.
const (
	namePrefix  = "kandev_"
	builtinEnd  = "_kandev" // how every built-in name ends
	maxName     = 50        // what every measured client leaves untouched, its own prefix added
	maxLocal    = 24
	hashDigits  = 8
	localOnHash = "t_" // in front of a hash that stands for a name without letters or digits
)

// Name is one tool's name: what is served, and what the module is called with.
type Name struct {
	Canonical string // [a-z0-9_], at most 50 characters
	Original  string // the plugin's own spelling
}

// Slug is the middle of a plugin's names: its id in lower case, anything
// outside [a-z0-9_] as "_", trimmed of "_" at both ends.
func Slug(id string) string { return strings.Trim(mapped(id), "_") }

// Local maps a plugin's own tool name to [a-z0-9_]{1,24}. A name that fits is
// left as it is. A longer one keeps 15 characters and gets 8 hex digits of the
// hash of the original; one without any letter or digit is the hash alone.
func Local(original string) string {
	local := mapped(original)
	switch {
	case strings.Trim(local, "_") == "":
		return localOnHash + hash8(original)
	case len(local) > maxLocal:
		return local[:maxLocal-1-hashDigits] + "_" + hash8(original)
	}
	return local
}

// Canonical is the one name of a plugin's tool, everywhere:
// kandev_<slug>_<local>, or where that has more than 50 characters
// kandev_<slug cut>_<8 hex of sha256(id)>_<local>.
func Canonical(id, original string) string {
	slug, local := Slug(id), Local(original)
	name := namePrefix + slug + "_" + local
	if len(name) <= maxName {
		return name
	}
	room := maxName - len(namePrefix) - len(local) - hashDigits - 2
	return namePrefix + slug[:min(len(slug), room)] + "_" + hash8(id) + "_" + local
}

// Names gives every tool of a plugin its canonical name, in order. It refuses
// two tools that would share one, and a name that looks like a built-in tool's.
// The error wraps ErrName and names both.
func Names(id string, tools []string) ([]Name, error) {
	if Slug(id) == "" {
		return nil, fmt.Errorf("%w: the id %.80q holds no letter or digit", ErrName, id)
	}
	seen := map[string]string{}
	var out []Name
	for _, original := range tools {
		n := Name{Canonical: Canonical(id, original), Original: original}
		if other, twice := seen[n.Canonical]; twice {
			if other == original {
				return nil, fmt.Errorf("%w: two tools are named %q", ErrName, original)
			}
			return nil, fmt.Errorf("%w: the tools %q and %q would both be named %s", ErrName, other, original, n.Canonical)
		}
		if strings.HasSuffix(strings.TrimRight(n.Canonical, "_"), builtinEnd) {
			return nil, fmt.Errorf("%w: %q would be named %s, which looks like a tool of Kandev itself", ErrName, original, n.Canonical)
		}
		seen[n.Canonical] = original
		out = append(out, n)
	}
	return out, nil
}

// Holder is one installed plugin, enabled or not, as far as names go.
type Holder struct {
	ID    string
	Names []Name
}

// Conflict refuses names that a built-in tool or another installed plugin has.
// A holder with the same id is the version to be replaced and does not count.
// The error wraps ErrName and says both owners.
func Conflict(id string, names []Name, builtin []string, installed []Holder) error {
	for _, n := range names {
		for _, b := range builtin {
			if n.Canonical == b || n.Canonical == strings.TrimSuffix(b, builtinEnd) {
				return fmt.Errorf("%w: %q of plugin %s would be named %s like the built-in %s", ErrName, n.Original, id, n.Canonical, b)
			}
		}
		for _, h := range installed {
			if h.ID == id {
				continue
			}
			for _, other := range h.Names {
				if other.Canonical == n.Canonical {
					return fmt.Errorf("%w: %q of plugin %s and %q of plugin %s would both be named %s",
						ErrName, n.Original, id, other.Original, h.ID, n.Canonical)
				}
			}
		}
	}
	return nil
}

// Folder is the name of a plugin's folder: the same on every file system,
// whatever the id's case and however a system reserves names.
func Folder(id string) string {
	slug := Slug(id)
	return "p-" + slug[:min(len(slug), 40)] + "-" + hash8(id)
}

// mapped puts "_" for every character outside [a-z0-9_], one for one.
func mapped(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return '_'
	}, s)
}

func hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:hashDigits]
}
