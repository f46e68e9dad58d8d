package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openFolder shows one of our folders in the file manager.
func (w *window) openFolder(which string) error {
	path := w.backend.Home()
	switch which {
	case "data":
	case "logs":
		path = filepath.Join(path, "logs")
	default:
		return fmt.Errorf("there is no folder %q", which)
	}
	name, args := openCommand(runtime.GOOS, path)
	if runtime.GOOS == "windows" {
		name, args = "explorer", []string{path}
	}
	cmd := exec.Command(name, args...)
	cmd.Env = w.opener.Env
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s with %s: %w", path, name, err)
	}
	w.opener.running.Go(func() { _ = cmd.Wait() }) // its exit code says nothing reliable
	return nil
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
