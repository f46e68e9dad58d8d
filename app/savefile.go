package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// saveFile lets the person choose where to save content and answers the path, ""
// when they cancel.
func (w *window) saveFile(name string, content []byte) (string, error) {
	path, err := w.dialogs.saveFile(w.shell(), "Save", name)
	if err != nil || path == "" {
		return "", err
	}
	return path, writeWhole(path, content)
}

// writeWhole writes a file that the person named: whole or not at all.
func writeWhole(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".kandev-*")
	if err != nil {
		return fmt.Errorf("save %s: %w", filepath.Base(path), err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("save %s: %w", filepath.Base(path), err)
	}
	return nil
}
