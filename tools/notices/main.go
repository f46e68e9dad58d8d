// Command notices writes the licences of everything that is linked into the program or bundled into its window: the
// modules of its import graph on the three systems, Go itself, and the production packages of the front end.
//
//	go -C tools run ./notices REPOSITORY > THIRD-PARTY-NOTICES.txt
//
// It fails when something has no licence text. `make notices-drift` fails when the committed file is not what this
// writes.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is something that others made and we ship.
type part struct {
	name, version string
	texts         string // its licence files, one after the other
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: notices REPOSITORY")
		os.Exit(2)
	}
	parts, err := collect(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
	os.Stdout.WriteString(render(parts))
}

func collect(root string) ([]part, error) {
	parts, err := goParts(root)
	if err != nil {
		return nil, err
	}
	more, err := npmParts(filepath.Join(root, "frontend"))
	if err != nil {
		return nil, err
	}
	parts = append(parts, more...)
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.version, b.version))
	})
	return slices.Compact(parts), nil
}

// licenceFile matches the names that such files have.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|copyright|notice|patents)([-._].*)?$`)

// licences reads the licence files of a folder, in the order of their names.
func licences(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, plain(text))
	}
	return strings.Join(texts, "\n\n"), nil
}

// plain takes out what differs between systems and says nothing.
func plain(text []byte) string {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	lines := strings.Split(string(bytes.TrimPrefix(text, []byte("\ufeff"))), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

const rule = "\n\n----------------------------------------------------------------------\n\n"

// render puts parts with the same texts under one copy of them.
func render(parts []part) string {
	var order []string
	under := map[string][]string{}
	for _, p := range parts {
		if under[p.texts] == nil {
			order = append(order, p.texts)
		}
		under[p.texts] = append(under[p.texts], strings.TrimSpace(p.name+" "+p.version))
	}
	var b strings.Builder
	b.WriteString("Kandev Desktop contains the work of others. This file names it with its licences; it is written by\n" +
		"`make notices` from the import graph of the program and the production packages of its window.\n" +
		"What the repository itself holds of others is in the file NOTICE.")
	for _, texts := range order {
		b.WriteString(rule + strings.Join(under[texts], "\n") + "\n\n" + texts)
	}
	return b.String() + "\n"
}
