package backend

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"kandev/backend/proc"
	"kandev/backend/timelimit"
)

// maxVersionOutput is how much of what an agent prints is looked at, in bytes.
const maxVersionOutput = 4 << 10

// versionNumber finds the first one in what a program prints.
var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)?(-[0-9A-Za-z.-]{1,20})?`)

// versions remembers what was found of programs, until their files change. The
// zero value is ready to use.
type versions struct {
	mu    sync.Mutex
	known map[string]versionOf
}

type versionOf struct {
	modified time.Time
	size     int64
	number   string // "" = it does not say
	pending  bool   // a probe runs
}

// version is what a program says it is. It does not wait: the first time a
// program has to be run for it, pending is true and the answer comes later.
func (b *Backend) version(found program, p programs) (number string, pending bool) {
	path := found.path
	info, err := os.Stat(path)
	if err != nil {
		return "", false
	}
	b.versions.mu.Lock()
	defer b.versions.mu.Unlock()
	if v, ok := b.versions.known[path]; ok && v.modified.Equal(info.ModTime()) && v.size == info.Size() {
		return v.number, v.pending
	}
	v := versionOf{modified: info.ModTime(), size: info.Size(), number: packageVersion(path)}
	if v.number == "" && b.enter() {
		v.pending = true
		go b.probeVersion(path, p.childPath(found), v)
	}
	if b.versions.known == nil {
		b.versions.known = map[string]versionOf{}
	}
	b.versions.known[path] = v
	return v.number, v.pending
}

// packageVersion is that of the npm package a program belongs to, "" for one
// that is no link into a package: no process is needed for the others.
func packageVersion(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); filepath.Base(dir) != "node_modules" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, err := fs.ReadFile(os.DirFS(dir), "package.json")
		var p struct{ Name, Version string }
		if err != nil || json.Unmarshal(text, &p) != nil || p.Name == "" {
			continue
		}
		return versionNumber.FindString(p.Version)
	}
	return ""
}

// probeVersion runs the program with --version. What it prints is looked at for
// a number and dropped.
func (b *Backend) probeVersion(path, childPath string, v versionOf) {
	defer b.wg.Done()
	ctx, cancel := context.WithTimeout(b.ctx, cmp.Or(b.o.versionWait, timelimit.VersionProbe))
	defer cancel()
	v.number, v.pending = b.askVersion(ctx, path, childPath), false
	b.versions.mu.Lock()
	defer b.versions.mu.Unlock()
	b.versions.known[path] = v
}

func (b *Backend) askVersion(ctx context.Context, path, childPath string) string {
	folder, done, err := b.scratch(fmt.Sprintf("version-%x", sha256.Sum256([]byte(path))))
	if err != nil {
		b.log.Info("version not asked", "program", filepath.Base(path), "err", err)
		return ""
	}
	defer done()
	p, err := proc.Start(ctx, proc.Command{
		Self: append(append([]string{}, b.o.Self...), "guard"), Path: path, Args: []string{"--version"}, Dir: folder,
		Env: proc.Environ(b.environ(), nil, map[string]string{"PATH": childPath}), PIDDir: b.path("run"),
		Grace: proc.Grace{Stdin: 100 * time.Millisecond, Term: 500 * time.Millisecond},
	})
	if err != nil {
		b.log.Info("version not asked", "program", filepath.Base(path), "err", err)
		return ""
	}
	_ = p.Stdin().Close()
	said := make(chan string, 1)
	b.wg.Go(func() {
		text, _ := io.ReadAll(io.LimitReader(p.Stdout(), maxVersionOutput))
		said <- versionNumber.FindString(string(text))
		_ = p.Stdout().Close()
	})
	select {
	case <-p.Done():
	case <-ctx.Done():
		_ = p.Stop(context.WithoutCancel(ctx)) // returns when the tree is gone
	}
	return <-said
}
