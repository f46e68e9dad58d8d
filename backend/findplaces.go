package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kandev/backend/agent"
)

// maxVersions bounds how many folders stand for one * of a place.
const maxVersions = 200

// placeFolder is a folder of a place that is there.
type placeFolder struct {
	place string // its name
	path  string
}

// places looks for the folders of agent.Places. It reads folders and small
// files and runs nothing: a version manager's own program may hang or install.
type places struct {
	goos   string
	home   string // "" = no home folder is known
	getenv func(name string) (string, bool)
}

// folders are all that are there, in the order in which they are looked at.
func (p places) folders() (out []placeFolder) {
	seen := map[string]bool{}
	for _, place := range agent.Places(p.goos) {
		for _, pattern := range place.Roots {
			root, ok := p.root(pattern)
			if !ok {
				continue
			}
			for _, folder := range place.Folders {
				for _, path := range expand(root, folder, place.Alias) {
					if !seen[path] && isFolder(path) {
						seen[path] = true
						out = append(out, placeFolder{place: place.Name, path: path})
					}
				}
			}
		}
	}
	return out
}

// root is the absolute folder that a pattern begins with; false where its
// variable or the home folder is not known.
func (p places) root(pattern string) (string, bool) {
	first, rest, _ := strings.Cut(pattern, "/")
	var root string
	switch {
	case pattern == agent.NPMPrefix:
		root, rest = p.npmPrefix(), ""
	case first == "~":
		root = p.home
	case strings.HasPrefix(first, "$"):
		root, _ = p.getenv(first[1:])
	default:
		root, rest = filepath.FromSlash(pattern), ""
	}
	if root = filepath.Join(root, filepath.FromSlash(rest)); !filepath.IsAbs(root) {
		return "", false
	}
	return root, true
}

// npmPrefix is what the person's .npmrc says.
func (p places) npmPrefix() string {
	file, _ := p.getenv("NPM_CONFIG_USERCONFIG")
	if file == "" {
		file = filepath.Join(p.home, ".npmrc")
	}
	for line := range strings.Lines(smallFile(file)) {
		name, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(name) == "prefix" {
			value = strings.Trim(strings.TrimSpace(value), `"'`)
			value = strings.ReplaceAll(value, "${HOME}", p.home)
			if rest, ok := strings.CutPrefix(value, "~"); ok {
				value = p.home + rest
			}
			return value
		}
	}
	return ""
}

// expand makes the folders of a pattern below a root.
func expand(root, pattern, alias string) []string {
	paths := []string{root}
	for element := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, path := range paths {
			if element != "*" {
				next = append(next, filepath.Join(path, element))
				continue
			}
			for _, name := range versionsIn(path, aliasOf(root, alias)) {
				next = append(next, filepath.Join(path, name))
			}
		}
		paths = next
	}
	return paths
}

// versionsIn are the names in a folder, the wanted version first, then the
// newest; names that are no versions, like aliases, come last.
func versionsIn(dir, wanted string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(maxVersions)
	slices.SortFunc(names, func(a, b string) int {
		if x, y := isVersion(a, wanted), isVersion(b, wanted); x != y {
			if x {
				return -1
			}
			return 1
		}
		return compareVersions(b, a)
	})
	return names
}

// aliasOf follows nvm's alias files: each holds a version or another alias.
func aliasOf(root, file string) string {
	if file == "" {
		return ""
	}
	name := filepath.Base(filepath.FromSlash(file))
	for range 5 {
		if !filepath.IsLocal(name) {
			return ""
		}
		text := strings.TrimSpace(smallFile(filepath.Join(root, filepath.Dir(filepath.FromSlash(file)), filepath.FromSlash(name))))
		if text == "" {
			return name
		}
		name = text
	}
	return ""
}

// isVersion reports whether a folder's name is a version or begins with it.
func isVersion(name, wanted string) bool {
	name, wanted = strings.TrimPrefix(name, "v"), strings.TrimPrefix(wanted, "v")
	return wanted != "" && (name == wanted || strings.HasPrefix(name, wanted+"."))
}

// compareVersions orders by the numbers between the dots.
func compareVersions(a, b string) int {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := range min(len(x), len(y)) {
		n, errN := strconv.Atoi(x[i])
		m, errM := strconv.Atoi(y[i])
		switch {
		case errN != nil && errM != nil:
			if x[i] != y[i] {
				return strings.Compare(x[i], y[i])
			}
		case errN != nil:
			return -1
		case errM != nil:
			return 1
		case n != m:
			return n - m
		}
	}
	return len(x) - len(y)
}

// smallFile is the text of a file that says little; "" where there is none.
func smallFile(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}
