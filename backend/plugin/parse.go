package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

const rootName = "the manifest"

var (
	idPattern      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	versionPattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$`)
	hexPattern     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	filePattern    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.wasm$`)
)

// Parse reads a plugin.json. Members that are not known here become warnings,
// so that a newer manifest still installs; an unknown permission is refused,
// because a person cannot grant what the window cannot show. The error wraps
// ErrManifest.
func Parse(raw []byte) (Manifest, error) {
	m, err := parse(raw)
	if err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return m, nil
}

func parse(raw []byte) (Manifest, error) {
	if len(raw) > MaxManifest {
		return Manifest{}, fmt.Errorf("%d bytes, at most %d are allowed", len(raw), MaxManifest)
	}
	if !utf8.Valid(raw) {
		return Manifest{}, errUTF8
	}
	o := readObject(rootName, bytes.TrimPrefix(raw, []byte("\ufeff")))
	if v := o.number("manifest_version", 0, 0, 1<<30); o.err == nil && v != ManifestVersion {
		return Manifest{}, fmt.Errorf("manifest_version is %d, this version of the app reads %d", v, ManifestVersion)
	}
	m := Manifest{
		ID:            o.text("id", true, MaxID),
		Name:          o.text("name", true, MaxText),
		Version:       o.text("version", true, MaxText),
		Description:   o.text("description", false, MaxText),
		Author:        o.text("author", false, MaxText),
		License:       o.text("license", false, MaxText),
		Homepage:      o.text("homepage", false, MaxText),
		MinAppVersion: o.text("min_app_version", false, MaxText),
	}
	checkIdentity(o, m)
	m.Wasm = parseModule(o, &m)
	m.Tools = parseTools(o, &m)
	m.Permissions = parsePermissions(o)
	m.Config = parseConfig(o, &m)
	m.note(o)
	return m, o.err
}

// note turns the members nobody read into warnings.
func (m *Manifest) note(o *object) {
	for _, name := range o.unknown() {
		if len(m.Warnings) < MaxZipEntries {
			m.Warnings = append(m.Warnings, fmt.Sprintf("%.80s is not known to this version of the app and does nothing", o.path(name)))
		}
	}
}

func checkIdentity(o *object, m Manifest) {
	if o.err != nil {
		return
	}
	if !idPattern.MatchString(m.ID) {
		o.fail("id %.80q has to start with a letter or digit and may hold letters, digits, dot, hyphen and underscore", m.ID)
	}
	if !versionPattern.MatchString(m.Version) {
		o.fail("version %.80q is not a version", m.Version)
	}
	if _, ok := release(m.MinAppVersion); m.MinAppVersion != "" && !ok {
		o.fail("min_app_version %.80q is not a version such as 1.2.0", m.MinAppVersion)
	}
	if m.Homepage != "" {
		u, err := url.Parse(m.Homepage)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			o.fail("homepage has to be an http or https address")
		}
	}
}

func parseModule(o *object, m *Manifest) Module {
	w, ok := o.child("wasm")
	if !ok {
		o.fail("wasm is missing")
		return Module{}
	}
	mod := Module{
		File:   w.text("file", true, MaxText),
		SHA256: strings.ToLower(w.text("sha256", true, MaxText)),
		ABI:    ABI(w.text("abi", false, MaxText)),
	}
	switch {
	case w.err != nil:
	case !filePattern.MatchString(mod.File):
		w.fail("wasm.file %.80q has to be a plain file name that ends in .wasm", mod.File)
	case !hexPattern.MatchString(mod.SHA256):
		w.fail("wasm.sha256 has to be 64 hex digits")
	case mod.ABI != ABIDetect && mod.ABI != ABIServlet && mod.ABI != ABIHyper:
		w.fail("wasm.abi %.40q is not known; there are %s and %s", mod.ABI, ABIServlet, ABIHyper)
	}
	if w.err != nil {
		o.fail("%w", w.err)
	}
	m.note(w)
	return mod
}

func parseTools(o *object, m *Manifest) []Tool {
	var raws []json.RawMessage
	if !o.into("tools", &raws, "a list") || len(raws) == 0 {
		o.fail("tools is missing or empty")
		return nil
	}
	if len(raws) > MaxTools {
		o.fail("%d tools, at most %d are allowed", len(raws), MaxTools)
		return nil
	}
	var out []Tool
	for i, raw := range raws {
		t := readObject(fmt.Sprintf("tools[%d]", i), raw)
		tool := Tool{
			Name:        t.text("name", true, MaxToolName),
			Description: t.text("description", true, MaxDescription),
		}
		tool.InputSchema, _ = t.take("input_schema")
		if h, ok := t.child("annotations"); ok {
			tool.Annotations = Hints{
				ReadOnly: h.hint("read_only_hint"), Destructive: h.hint("destructive_hint"),
				Idempotent: h.hint("idempotent_hint"), OpenWorld: h.hint("open_world_hint"),
			}
			if h.err != nil {
				t.fail("%w", h.err)
			}
			m.note(h)
		}
		if t.err == nil {
			if err := checkTool(tool); err != nil {
				t.fail("%s: %w", t.at, err)
			}
		}
		if t.err != nil {
			o.fail("%w", t.err)
			return nil
		}
		m.note(t)
		out = append(out, tool)
	}
	return out
}

// release reads the numbers of a version; what stands behind the first "-" or
// "+" is not compared.
func release(s string) (parts [3]int, ok bool) {
	s, _, _ = strings.Cut(s, "+")
	s, _, _ = strings.Cut(s, "-")
	fields := strings.Split(s, ".")
	if s == "" || len(fields) > 3 {
		return parts, false
	}
	for i, f := range fields {
		if f == "" || len(f) > 6 || strings.Trim(f, "0123456789") != "" {
			return parts, false
		}
		for _, c := range f {
			parts[i] = parts[i]*10 + int(c-'0')
		}
	}
	return parts, true
}

// NeedsApp says which version of the app the plugin needs when app is older;
// it is empty when the plugin may run. A development version of the app, which
// has no numbers, runs everything.
func (m Manifest) NeedsApp(app string) string {
	want, ok := release(m.MinAppVersion)
	have, known := release(app)
	if !ok || !known {
		return ""
	}
	for i := range want {
		if want[i] != have[i] {
			if want[i] > have[i] {
				return m.MinAppVersion
			}
			return ""
		}
	}
	return ""
}
