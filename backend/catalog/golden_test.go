package catalog

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted catalogs")

// Each case is one archive: the served body, what the request presented (one
// line: served name, canonical name, kind, plugin), and the catalog. "not a
// list" is the whole catalog of a body that holds none.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			part := func(name string) *txtar.File {
				for i := range archive.Files {
					if archive.Files[i].Name == name {
						return &archive.Files[i]
					}
				}
				archive.Files = append(archive.Files, txtar.File{Name: name})
				return &archive.Files[len(archive.Files)-1]
			}
			got := view(t, part("served").Data, string(part("presented").Data))
			want := part("catalog")
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("got\n%swant\n%s", got, want.Data)
			}
		})
	}
}

// view is the catalog with counts: here a token is a byte of compact JSON.
func view(t *testing.T, served []byte, presented string) string {
	t.Helper()
	names := map[string]Provenance{}
	for line := range strings.Lines(presented) {
		f := append(strings.Fields(line), "", "")
		names[f[0]] = Provenance{Canonical: f[1], Source: Source{Kind: f[2], Plugin: f[3]}}
	}
	l, err := Parse(served, names)
	if errors.Is(err, ErrNotAList) {
		return "not a list\n"
	}
	if err != nil {
		t.Fatal(err)
	}
	c := l.Catalog().WithCounts(l.Count(length, func(s string) int { return len(s) }))
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func length(toolJSON []byte) (int, error) { return len(toolJSON), nil }
