package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LookPath finds a program in the given PATH value, never in the app's own. The answer is an absolute path.
// Empty and relative entries are skipped: a program in the folder of a project must not be run by its bare name.
// A name with a separator is not looked up; it must be absolute. Errors: ErrNotFound, ErrNotExecutable, with the name.
func LookPath(name, path string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("empty name: %w", ErrNotFound)
	}
	if filepath.IsAbs(name) {
		return firstRunnable(name, name)
	}
	if strings.ContainsAny(name, pathSeparators) {
		return "", fmt.Errorf("%s: a relative path is not looked up: %w", name, ErrNotFound)
	}
	var refused error
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		found, err := firstRunnable(name, filepath.Join(dir, name))
		if err == nil {
			return found, nil
		}
		if errors.Is(err, ErrNotExecutable) && refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("%s: %w", name, ErrNotFound)
}

// firstRunnable tries the file with each extension that the system knows for programs.
func firstRunnable(name, file string) (string, error) {
	var refused error
	for _, candidate := range programFiles(file) {
		info, err := os.Stat(candidate)
		switch {
		case err == nil && !info.IsDir() && runnable(info.Mode()):
			return candidate, nil
		case err == nil && !info.IsDir(), errors.Is(err, fs.ErrPermission):
			refused = fmt.Errorf("%s: %w: %s", name, ErrNotExecutable, candidate)
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("%s: %w", name, ErrNotFound)
}
