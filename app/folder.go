package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"kandev/backend/session"
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
	return w.showFolder(path)
}

// errNoFolder is the answer for a folder that is not there.
var errNoFolder = errors.New("the folder is not there")

// showFolder shows a folder in the file manager.
func (w *window) showFolder(path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !filepath.IsAbs(path) {
		return fmt.Errorf("%w: %s", errNoFolder, path)
	}
	name, args := folderCommand(runtime.GOOS, path)
	cmd := exec.Command(name, args...)
	cmd.Env = w.opener.Env
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s with %s: %w", path, name, err)
	}
	w.opener.running.Go(func() { _ = cmd.Wait() }) // its exit code says nothing reliable
	return nil
}

// folderCommand is the system's file manager; the path is one argument and no
// shell sees it. Finder by name, since a folder named like a program would be run.
func folderCommand(goos, path string) (name string, args []string) {
	switch goos {
	case "darwin":
		return "open", []string{"-a", "Finder", path}
	case "windows":
		return "explorer", []string{path}
	}
	return "xdg-open", []string{path}
}

// openPlace shows the folder in which a session works.
func (w *window) openPlace(ctx context.Context, id session.ID) error {
	place, err := w.backend.Place(ctx, id)
	if err != nil {
		return err
	}
	return w.showFolder(place.Folder)
}
