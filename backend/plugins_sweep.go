package backend

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kandev/backend/sqlite"
)

// Folders that this app made, by their names: of a plugin, of a version, and of
// a version that was not finished. Nothing else is ever swept.
var (
	ownFolder  = regexp.MustCompile(`^p-[a-z0-9_]+-[0-9a-f]{8}$`)
	ownVersion = regexp.MustCompile(`^([0-9a-f]{64}|\.half-[0-9]+)$`)
)

// sweepLeft removes what a change left that did not end: folders of versions and
// values of secrets that no row names. What has another name, or is a link, is
// the person's and stays, and so does all while a database stands aside whose
// rows may be wanted again. It runs once, behind the start.
func (s *PluginStore) sweepLeft() {
	if sqlite.HasAside(filepath.Join(s.o.home, sqlite.FileName)) {
		return
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	named, secrets := s.named()
	if err := s.o.secrets.Sweep(func(name string) bool {
		owner, _, _ := strings.Cut(name, "/")
		return secrets[name] || !ownFolder.MatchString(owner)
	}); err != nil {
		s.o.log.Warn("left over secrets not removed", "err", err)
	}
	root := filepath.Join(s.o.home, pluginsFolder)
	for _, p := range foldersIn(root, ownFolder) {
		dir := filepath.Join(root, p)
		for _, v := range foldersIn(dir, ownVersion) {
			path := filepath.Join(dir, v)
			if named[path] || s.ctx.Err() != nil {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				s.o.log.Warn("left over plugin not removed", "folder", v, "err", err)
			}
		}
		_ = os.Remove(dir) // only when it is empty
	}
}

// foldersIn names the real folders of a folder whose names are of a form; none
// when it is not there.
func foldersIn(dir string, form *regexp.Regexp) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && form.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// named are the folders and the secrets that the rows name.
func (s *PluginStore) named() (folders, secrets map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	folders, secrets = map[string]bool{}, map[string]bool{}
	for id, h := range s.all {
		folders[s.version(id, h.Manifest.Wasm.SHA256)] = true
		for _, name := range h.Secrets {
			secrets[name] = true
		}
	}
	return folders, secrets
}
