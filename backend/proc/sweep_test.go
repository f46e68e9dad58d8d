//go:build linux || darwin

package proc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSweepTouchesOnlyWhatMatches(t *testing.T) {
	p := start(t, selfCommand("pid", "echo"))
	id := idents(t, p.Stdout(), 1)[0]
	self, _ := processEntry(os.Getpid())
	none := ident{PID: 1 << 30, Start: "1"}
	for _, test := range []struct {
		name   string
		record record
	}{
		{"another start time", record{bootID(), none, []ident{{id.PID, id.Start + "0"}}}},
		{"another boot", record{"another", id, []ident{id}}},
		{"guard with another start time", record{bootID(), ident{id.PID, "1"}, nil}},
		{"ourselves", record{bootID(), none, []ident{none}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			content, _ := json.Marshal(test.record)
			if err := os.WriteFile(recordPath(dir, 7), content, 0o600); err != nil {
				t.Fatal(err)
			}
			if killed, err := Sweep(dir); killed != 0 || err != nil {
				t.Errorf("killed %d, error %v", killed, err)
			}
			if len(living([]ident{id, self.ident})) != 2 {
				t.Error("a process that does not match was killed")
			}
			if files, _ := os.ReadDir(dir); len(files) != 0 {
				t.Errorf("left: %v", files)
			}
		})
	}
}

func TestSweepOfBadFiles(t *testing.T) {
	dir := t.TempDir()
	for i, content := range []string{
		"", "{", "null", `{"guard":{"pid":-1,"start":"1"}}`, `{"guard":{"pid":0,"start":"1"}}`,
		fmt.Sprintf(`{"boot":%q,"guard":{"pid":99999999,"start":"1"},"tree":[{"pid":1,"start":"1"}]}`, bootID()),
		`{"guard":{"pid":2,"start":""}}`,
	} {
		if err := os.WriteFile(recordPath(dir, i), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(dir, "other.json")
	_ = os.WriteFile(other, nil, 0o600)
	_ = os.WriteFile(recordPath(dir, 5)+".new", nil, 0o600)
	killed, err := Sweep(dir)
	if killed != 0 || err == nil || strings.Count(err.Error(), "guard-") != 7 {
		t.Errorf("killed %d, error %v", killed, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 || files[0].Name() != "other.json" {
		t.Errorf("left: %v", files)
	}
	if killed, err := Sweep(filepath.Join(dir, "none")); killed != 0 || err != nil {
		t.Errorf("missing folder: killed %d, error %v", killed, err)
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add([]byte(`{"boot":"b","guard":{"pid":2,"start":"1"},"tree":[{"pid":3,"start":"4"}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := parseRecord(content)
		for _, id := range append(r.Tree, r.Guard) {
			if err == nil && (id.PID <= 1 || id.Start == "") {
				t.Errorf("%+v", id)
			}
		}
	})
}
