package backend

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"kandev/backend/plugin"
)

// Names in the data folder: plugins/<plugin.Folder>/<sha256>/plugin.wasm.
const (
	pluginsFolder = "plugins"
	moduleName    = "plugin.wasm"
	halfMark      = ".half-" // a version that is being written
)

func (s *PluginStore) folder(id string) string {
	return filepath.Join(s.o.home, pluginsFolder, plugin.Folder(id))
}

func (s *PluginStore) version(id, sha256 string) string { return filepath.Join(s.folder(id), sha256) }

// readModule reads an installed module. Whoever loads it checks it.
func (s *PluginStore) readModule(id, sha256 string) ([]byte, error) {
	return readRegular(filepath.Join(s.version(id, sha256), moduleName), plugin.MaxWasm)
}

// writeModule puts a module into a folder of its own, private and whole: it is
// written beside its place and renamed. One that is there already and is the
// same stays.
func (s *PluginStore) writeModule(id, sha256 string, module []byte) error {
	place := s.version(id, sha256)
	if have, err := s.readModule(id, sha256); err == nil && plugin.Verify(have, sha256) == nil {
		return nil
	}
	if err := os.MkdirAll(s.folder(id), 0o700); err != nil {
		return fmt.Errorf("make the plugin's folder: %w", err)
	}
	half, err := os.MkdirTemp(s.folder(id), halfMark+"*")
	if err != nil {
		return fmt.Errorf("make the plugin's folder: %w", err)
	}
	defer os.RemoveAll(half)
	if err := writeSynced(filepath.Join(half, moduleName), module); err != nil {
		return fmt.Errorf("write the plugin's module: %w", err)
	}
	if err := os.RemoveAll(place); err != nil { // a damaged one of before
		return fmt.Errorf("replace the plugin's module: %w", err)
	}
	if err := os.Rename(half, place); err != nil {
		return fmt.Errorf("place the plugin's module: %w", err)
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// dropModule removes one version, and the plugin's folder with the last.
func (s *PluginStore) dropModule(id, sha256 string) {
	if err := os.RemoveAll(s.version(id, sha256)); err != nil {
		s.o.log.Warn("plugin's module not removed", "plugin", id, "err", err)
		return
	}
	_ = os.Remove(s.folder(id)) // only when it is empty
}

// Folders that this app made, by their names: of a plugin, of a version, and of
// a version that was not finished. Nothing else is ever swept.
var (
	ownFolder  = regexp.MustCompile(`^p-[a-z0-9_]+-[0-9a-f]{8}$`)
	ownVersion = regexp.MustCompile(`^([0-9a-f]{64}|\.half-[0-9]+)$`)
)

// sweepLeft removes what a change left that did not end: folders of versions and
// values of secrets that no row names. What has another name, or is a link, is
// the person's and stays. It runs once, behind the start.
func (s *PluginStore) sweepLeft() {
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

// ReadPluginFile reads a file that a person chose, whole and bounded. What is
// no file (a folder, a pipe, a device) is refused and never waited for.
func ReadPluginFile(path string) ([]byte, error) {
	data, err := readRegular(path, plugin.MaxZip)
	switch {
	case errors.Is(err, errNotAFile):
		return nil, fmt.Errorf("%s is not a file", filepath.Base(path))
	case errors.Is(err, errTooLong):
		return nil, fmt.Errorf("%s has more than the %d bytes that are allowed", filepath.Base(path), plugin.MaxZip)
	case err != nil:
		return nil, unreadable(path, err)
	}
	return data, nil
}

var (
	errNotAFile = errors.New("it is not a file")
	errTooLong  = errors.New("it is too long")
)

// readRegular reads a file of at most so many bytes. It looks at the kind before
// it opens, because opening a device can act on it, and again after, because it
// may be another one by then; opening never waits, as a pipe would have it.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotAFile
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errNotAFile
	case info.Size() > most:
		return nil, errTooLong
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, errTooLong
	}
	return data, err
}

// unreadable keeps the system's kind of error and leaves out the folder, which
// is the person's own affair.
func unreadable(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s cannot be read: %w", filepath.Base(path), err)
}
