// Package packaging checks what packages are made from, without making them. It holds tests only.
package packaging

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func root(t *testing.T, elements ...string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// script runs one of build/ and answers what it printed; ok is false when it failed.
func script(t *testing.T, env []string, name string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command(root(t, "build", name), args...)
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.Output()
	return string(text), err == nil
}

// plist reads the keys and texts of a property list; true and false are texts here.
func plist(t *testing.T, text []byte) map[string]string {
	t.Helper()
	values, key := map[string]string{}, ""
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			t.Fatalf("not a property list: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := start.Name.Local; name {
		case "plist", "dict":
		case "true", "false":
			values[key] = name
		default:
			var content string
			if err := d.DecodeElement(&content, &start); err != nil {
				t.Fatal(err)
			}
			if name == "key" {
				key = content
			} else {
				values[key] = content
			}
		}
	}
}

// The macOS app holds what its Info.plist names, where macOS looks for it.
func TestApp(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, ok := script(t, []string{"LAYOUT_ONLY=1", "VERSION=1.2.3-rc.1"}, "package-macos.sh", program, t.TempDir())
	if !ok {
		t.Fatal(out)
	}
	contents := root(t, strings.TrimSpace(out), "Contents")
	info := plist(t, read(t, filepath.Join(contents, "Info.plist")))
	for key, want := range map[string]string{
		"CFBundleShortVersionString": `^1\.2\.3$`, "CFBundleVersion": `^1\.2\.3$`, "CFBundleGetInfoString": `1\.2\.3-rc\.1`,
		"CFBundleIdentifier": `^[A-Za-z0-9.-]+$`, "CFBundlePackageType": `^APPL$`, "NSHighResolutionCapable": `^true$`,
		"LSMinimumSystemVersion": `^\d+\.\d+$`,
	} {
		if !regexp.MustCompile(want).MatchString(info[key]) {
			t.Errorf("%s is %q", key, info[key])
		}
	}
	if f, err := os.Stat(filepath.Join(contents, "MacOS", info["CFBundleExecutable"])); err != nil || f.Mode().Perm()&0o111 == 0 {
		t.Errorf("the program: %v", err)
	}
	checkICNS(t, read(t, filepath.Join(contents, "Resources", info["CFBundleIconFile"]+".icns")))
	for _, name := range []string{"LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.txt"} {
		read(t, filepath.Join(contents, "Resources", name))
	}
	// The hardened runtime stays as strict as it is: the app compiles nothing at run time (plugins are interpreted), and
	// the page's scripts are compiled by WebKit in a process of Apple's.
	entitlements := read(t, root(t, "build", "darwin", "entitlements.plist"))
	for key := range plist(t, entitlements) {
		t.Errorf("the app asks for %s", key)
	}
	if bytes.Contains(entitlements, []byte("<!--")) {
		t.Error("Apple's reader of entitlements refuses comments")
	}
}

// On a Mac everything is built for the macOS that the app says it needs, with the framework that Wails leaves to its
// own command. A stand-in for uname shows what make would export there.
func TestMacBuild(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "uname"), []byte("#!/bin/sh\necho Darwin\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("make", "-C", root(t), "--no-print-directory", "--eval", "show: ; @echo \"$$CGO_LDFLAGS, macOS $$MACOSX_DEPLOYMENT_TARGET\"", "show")
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "CGO_LDFLAGS=", "MAKEFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info := plist(t, read(t, root(t, "build", "darwin", "Info.plist")))
	if want := "-framework UniformTypeIdentifiers, macOS " + info["LSMinimumSystemVersion"]; strings.TrimSpace(string(out)) != want {
		t.Errorf("exported %q, want %q", out, want)
	}
}

// An ICNS is a list of entries with lengths that add up; ours hold PNG.
func checkICNS(t *testing.T, data []byte) {
	t.Helper()
	if string(data[:4]) != "icns" || binary.BigEndian.Uint32(data[4:]) != uint32(len(data)) {
		t.Fatal("bad head")
	}
	var kinds []string
	for rest := data[8:]; len(rest) > 0; {
		size := binary.BigEndian.Uint32(rest[4:])
		if size < 16 || int(size) > len(rest) || string(rest[8:12]) != "\x89PNG" {
			t.Fatalf("bad entry %q of %d bytes", rest[:4], size)
		}
		kinds = append(kinds, string(rest[:4]))
		rest = rest[size:]
	}
	for _, want := range []string{"icp4", "icp5", "ic07", "ic08", "ic09", "ic10"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestICO(t *testing.T) {
	data := read(t, root(t, "build", "icon", "kandev-desktop.ico"))
	var sizes []byte
	for n := range int(binary.LittleEndian.Uint16(data[4:])) {
		sizes = append(sizes, data[6+16*n])
	}
	for _, want := range []byte{16, 32, 48, 0} { // 0 is 256
		if !slices.Contains(sizes, want) {
			t.Errorf("no size %d", want)
		}
	}
}

// The workflow parses, and every make target and script that it runs is there.
func TestWorkflow(t *testing.T) {
	text := read(t, root(t, ".github", "workflows", "release.yml"))
	var workflow struct {
		Jobs map[string]struct{ Steps []map[string]any }
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"linux", "windows", "macos", "release"} {
		if len(workflow.Jobs[job].Steps) == 0 {
			t.Errorf("no job %s", job)
		}
	}
	makes := append(read(t, root(t, "Makefile")), read(t, root(t, "build", "package.mk"))...)
	found := 0
	for _, line := range regexp.MustCompile(`(?m)\bmake((?: [a-z0-9-]+)+)`).FindAllSubmatch(text, -1) {
		for target := range strings.FieldsSeq(string(line[1])) {
			found++
			if !regexp.MustCompile(`(?m)^` + target + `:`).Match(makes) {
				t.Errorf("there is no make target %s", target)
			}
		}
	}
	for _, name := range regexp.MustCompile(`build/[a-z-]+\.sh`).FindAll(text, -1) {
		found++
		read(t, root(t, string(name)))
	}
	if found < 4 {
		t.Errorf("only %d targets and scripts were found: does this test still look at what is there?", found)
	}
}

// A part of the changelog becomes the release notes; none is an error.
func TestReleaseNotes(t *testing.T) {
	changelog := filepath.Join(t.TempDir(), "changelog.md")
	text := "# Changelog\n\n## Unreleased\n\n* new\n\n## 1.2.0 (2026-01-31)\n\n* old\n\n### More\n\n* too\n\n## 1.1.0\n"
	if err := os.WriteFile(changelog, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"1.2.0": "* old\n\n### More\n\n* too\n", "v1.2.0": "* old\n\n### More\n\n* too\n", "1.3.0-rc.1": "* new\n",
		"1.3.0": "", "1.1.0": "", "1.2": "", "": "",
	} {
		if got, ok := script(t, nil, "release-notes.sh", version, changelog); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", version, got, ok)
		}
	}
	if got, ok := script(t, nil, "release-notes.sh", "0.0.1-rc.1"); !ok || !strings.Contains(got, "\n* ") {
		t.Errorf("our own changelog: %q", got)
	}
}

// The version is what VERSION says, or comes from the tag; nonsense is refused.
func TestVersion(t *testing.T) {
	for given, want := range map[string]string{"1.2.3": "1.2.3\n", "v1.2.3-rc.1": "1.2.3-rc.1\n", "1.2": "", "1.2.3; rm": "", "x": ""} {
		if got, ok := script(t, []string{"VERSION=" + given}, "version.sh"); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", given, got, ok)
		}
	}
	if got, ok := script(t, []string{"VERSION="}, "version.sh"); !ok || !regexp.MustCompile(`^\d+\.\d+\.\d+(-\S+)?\n$`).MatchString(got) {
		t.Errorf("of this checkout: %q", got)
	}
}
