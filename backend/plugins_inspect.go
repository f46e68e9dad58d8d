package backend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"kandev/backend/plugin"
	"kandev/backend/tool"
	"kandev/backend/wasm"
)

// maxTrials bounds the trial runs that are remembered.
const maxTrials = 16

// trial is what a bare module said of itself. It is remembered so that what is
// installed is what the person saw, whatever the module says the next time.
type trial struct {
	abi   plugin.ABI
	tools []plugin.Tool
}

// candidate is a package that was read.
type candidate struct {
	pkg      plugin.Package
	manifest plugin.Manifest
	digest   string // of the file
	ran      bool
}

// InspectPlugin looks at a file without installing it. A file that is no
// plugin at all is an error; what else is wrong is in Problems.
func (s *PluginStore) InspectPlugin(ctx context.Context, path string) (PluginInspection, error) {
	data, err := ReadPluginFile(path)
	if err != nil {
		return PluginInspection{}, err
	}
	c, problem, err := s.candidate(ctx, path, data)
	if err != nil {
		return PluginInspection{}, err
	}
	out := PluginInspection{Path: path, Bytes: int64(len(data)), Digest: c.digest, Manifest: c.manifest, RanCode: c.ran}
	shown := shownOf(c.manifest, s.o.estimate)
	out.Tools, out.Total = shown.tools, shown.total
	if problem != nil {
		out.Problems = append(out.Problems, sentence(problem))
	}
	for _, err := range s.problems(ctx, c) {
		out.Problems = append(out.Problems, sentence(err))
	}
	out.Update = s.compare(c.manifest)
	return out, nil
}

// candidate reads a package. Of a bare module the description is run, once for
// each digest; what went wrong in it is the problem, since a person should see
// the rest all the same.
func (s *PluginStore) candidate(ctx context.Context, path string, data []byte) (c candidate, problem, err error) {
	c.digest = digestOf(data)
	if c.pkg, err = plugin.Read(data); err != nil {
		return c, nil, err
	}
	c.manifest = c.pkg.Manifest
	if !c.pkg.Bare {
		return c, nil, nil
	}
	c.ran = true
	name := filepath.Base(path)
	c.manifest = plugin.Manifest{
		ID: plugin.BareID(name), Name: plugin.BareID(name), Version: "0.0.0", Bare: true,
		Wasm: plugin.Module{File: moduleName, SHA256: c.pkg.SHA256},
	}
	t, err := s.try(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return c, nil, ctx.Err()
		}
		return c, fmt.Errorf("it does not say what its tools are: %w", err), nil
	}
	m, err := plugin.Bare(name, c.pkg, t.abi, t.tools)
	if err != nil {
		return c, err, nil
	}
	c.manifest = m
	return c, nil, nil
}

// try runs a bare module's description, in the sandbox and without anything.
func (s *PluginStore) try(ctx context.Context, c candidate) (trial, error) {
	s.mu.Lock()
	t, known := s.trials[c.digest]
	s.mu.Unlock()
	if known {
		return t, nil
	}
	abi, tools, err := wasm.Describe(ctx, c.pkg.Wasm)
	if err != nil {
		return trial{}, err
	}
	t = trial{abi, tools}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.trials) >= maxTrials {
		clear(s.trials)
	}
	s.trials[c.digest] = t
	return t, nil
}

// problems are the reasons why a package cannot be installed.
func (s *PluginStore) problems(ctx context.Context, c candidate) (out []error) {
	m := c.manifest
	if want := m.NeedsApp(s.o.version); want != "" {
		out = append(out, fmt.Errorf("it needs Kandev Desktop %s or newer; this is %s", want, s.o.version))
	}
	if !c.pkg.Bare {
		if _, err := wasm.Check(ctx, c.pkg.Wasm, m.Wasm.ABI, m.Permissions.MemoryMB); err != nil {
			out = append(out, err)
		}
	}
	if have, err := s.get(m.ID); err == nil && len(m.Tools) > 0 {
		if err := have.Takes(m); err != nil {
			return append(out, err)
		}
	}
	names, err := plugin.Names(m.ID, m.ToolNames())
	if err != nil {
		return append(out, err)
	}
	taken, holders, others := s.taken(m.ID)
	if err := plugin.Conflict(m.ID, names, taken, holders); err != nil {
		return append(out, err)
	}
	_, refused := tool.NewSet(1, append(others, bareDefinitions(m)...)...)
	for _, r := range refused {
		if r.Source == m.ID {
			out = append(out, fmt.Errorf("tool %s: %w", r.Name, r.Err))
		}
	}
	return out
}

// taken are the names that a plugin may not use: of the built-in tools and of
// every other installed plugin, enabled or not.
func (s *PluginStore) taken(id string) (builtin []string, holders []plugin.Holder, definitions []tool.Definition) {
	definitions = builtins()
	for _, d := range definitions {
		builtin = append(builtin, d.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.ordered() {
		if h.Manifest.ID == id {
			continue
		}
		names, err := plugin.Names(h.Manifest.ID, h.Manifest.ToolNames())
		if err == nil {
			holders = append(holders, plugin.Holder{ID: h.Manifest.ID, Names: names})
		}
	}
	return builtin, holders, definitions
}

// compare says what installing m would change; nil when nothing of its id is
// installed, or something whose place it may not take.
func (s *PluginStore) compare(m plugin.Manifest) *PluginUpdate {
	from, err := s.get(m.ID)
	if err != nil || from.Takes(m) != nil {
		return nil
	}
	return &PluginUpdate{From: from, Difference: from.Compare(m, s.o.now())}
}

// refusal is the problems of a package as one error.
func refusal(problems []error) error {
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Error())
	}
	return fmt.Errorf("%w: %s", ErrPluginRefused, strings.Join(texts, "; "))
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
