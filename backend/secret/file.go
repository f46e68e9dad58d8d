package secret

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// ErrFile says that the private file cannot be understood. It is left as it is.
var ErrFile = errors.New("the file of secrets cannot be read")

// file is a JSON object of names and values, mode 0600, read anew for each
// question and replaced in whole.
type file struct {
	path string
	mu   sync.Mutex
}

// halfWritten begins the name of what a write leaves that was killed: it holds
// values.
const halfWritten = ".secrets-"

func (f *file) tidy() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir := filepath.Dir(f.path)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), halfWritten) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func (f *file) get(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return "", err
	}
	value, ok := all[name]
	if !ok {
		return "", fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return value, nil
}

func (f *file) set(name, value string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	all[name] = value
	return f.write(all)
}

// remove takes a name out; nothing is written when it is not there.
func (f *file) remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	if _, ok := all[name]; !ok {
		return nil
	}
	delete(all, name)
	return f.write(all)
}

// sweep takes every name out that keep does not want.
func (f *file) sweep(keep func(name string) bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	before := len(all)
	maps.DeleteFunc(all, func(name, _ string) bool { return !keep(name) })
	if len(all) == before {
		return nil
	}
	return f.write(all)
}

// read never puts a byte of the file into its error: encoding/json quotes them.
func (f *file) read() (map[string]string, error) {
	b, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	all := map[string]string{}
	if json.Unmarshal(b, &all) != nil || all == nil {
		return nil, fmt.Errorf("%w: %s is not what Kandev wrote", ErrFile, filepath.Base(f.path))
	}
	return all, nil
}

func (f *file) write(all map[string]string) (err error) {
	b, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode secrets: %w", err)
	}
	t, err := os.CreateTemp(filepath.Dir(f.path), halfWritten+"*") // mode 0600
	if err != nil {
		return fmt.Errorf("write secrets: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(t.Name())
		}
	}()
	_, err = t.Write(b)
	if err = errors.Join(err, t.Sync(), t.Close()); err != nil {
		return fmt.Errorf("write secrets: %w", err)
	}
	if err = os.Rename(t.Name(), f.path); err != nil {
		return fmt.Errorf("write secrets: %w", err)
	}
	return nil
}
