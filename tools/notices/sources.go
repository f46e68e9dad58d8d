package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// systems are the builds that we ship; cgo decides which files of a package count.
var systems = []struct{ goos, cgo, tags string }{
	{"linux", "1", "desktop,production,webkit2_41"},
	{"windows", "0", "desktop,production"},
	{"darwin", "1", "desktop,production"},
}

// goParts are the modules that packages of the program come from, and Go's own library.
func goParts(root string) ([]part, error) {
	dirs := map[[2]string]string{}
	for _, s := range systems {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", "-tags", s.tags, ".")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+s.goos, "GOARCH=amd64", "CGO_ENABLED="+s.cgo)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list the packages for %s: %w", s.goos, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var pkg struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if m := pkg.Module; m != nil && !m.Main {
				dirs[[2]string{m.Path, m.Version}] = m.Dir
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	dirs[[2]string{"Go's standard library", ""}] = strings.TrimSpace(string(goroot))
	var parts []part
	for module, dir := range dirs {
		texts, err := licences(dir)
		if err != nil {
			return nil, err
		}
		if texts == "" {
			return nil, fmt.Errorf("%s %s has no licence file", module[0], module[1])
		}
		parts = append(parts, part{module[0], module[1], texts})
	}
	return parts, nil
}

// npmParts are the packages of the lock file that are not for development only. Optional ones that are not installed
// are not shipped either.
func npmParts(frontend string) ([]part, error) {
	text, err := os.ReadFile(filepath.Join(frontend, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, DevOptional bool
			Optional         bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var parts []part
	for path, p := range lock.Packages {
		if path == "" || p.Dev || p.DevOptional {
			continue
		}
		texts, err := licences(filepath.Join(frontend, path))
		if errors.Is(err, os.ErrNotExist) && p.Optional {
			continue
		}
		if err != nil {
			return nil, err
		}
		if texts == "" && p.License == "" {
			return nil, fmt.Errorf("%s has no licence", path)
		}
		if texts == "" {
			texts = fmt.Sprintf("Licence: %s (the package holds no text of it).", p.License)
		}
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		parts = append(parts, part{name, p.Version, texts})
	}
	return parts, nil
}
