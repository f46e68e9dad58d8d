package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// dropModule removes one version, and the plugin's folder with the last. Where it is
// not known that no row of a file names it, the sweep of a later start does.
func (s *PluginStore) dropModule(id, sha256 string) {
	if !s.o.sweep {
		return
	}
	if err := os.RemoveAll(s.version(id, sha256)); err != nil {
		s.o.log.Warn("plugin's module not removed", "plugin", id, "err", err)
		return
	}
	_ = os.Remove(s.folder(id)) // only when it is empty
}
