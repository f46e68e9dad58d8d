package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// errHomeFolder says that no place for the data can be found.
var errHomeFolder = errors.New("no place for the data folder: set KANDEV_HOME to one")

// dataFolder is the platform's place for the app's data; KANDEV_HOME overrides.
// On Linux it is a folder of its own below that of the program's name, where
// the web view keeps files too, with modes that are not ours.
func dataFolder(getenv func(string) string) (string, error) {
	if home := getenv("KANDEV_HOME"); home != "" {
		return filepath.Abs(home)
	}
	if runtime.GOOS == "linux" {
		if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
			return filepath.Join(data, "kandev-desktop", "data"), nil
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errHomeFolder
		}
		return filepath.Join(home, ".local", "share", "kandev-desktop", "data"), nil
	}
	place := os.UserConfigDir // Application Support on macOS
	if runtime.GOOS == "windows" {
		place = os.UserCacheDir // LocalAppData: data of this machine does not roam
	}
	config, err := place()
	if err != nil {
		return "", errHomeFolder
	}
	return filepath.Join(config, "kandev-desktop"), nil
}

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
