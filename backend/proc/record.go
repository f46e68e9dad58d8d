//go:build linux || darwin

package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// record is the content of a pid file: who to end if neither the app nor the guard could.
type record struct {
	Boot  string  `json:"boot"`
	Guard ident   `json:"guard"`
	Tree  []ident `json:"tree"` // the agent and its descendants
}

func recordPath(dir string, guard int) string {
	return filepath.Join(dir, fmt.Sprintf("guard-%d.json", guard))
}

// parseRecord refuses numbers that mean something else than one process to kill(2).
func parseRecord(content []byte) (record, error) {
	var r record
	if err := json.Unmarshal(content, &r); err != nil {
		return record{}, err
	}
	for _, id := range append([]ident{r.Guard}, r.Tree...) {
		if id.PID <= 1 || id.Start == "" {
			return record{}, errors.New("not a process")
		}
	}
	return r, nil
}

// record writes the pid file when the tree has changed since the last time. The file is replaced whole.
func (g *guard) record(members []entry) error {
	if g.order.PIDDir == "" {
		return nil
	}
	self, ok := processEntry(os.Getpid())
	if !ok {
		return errors.New("no process table")
	}
	r := record{Boot: bootID(), Guard: self.ident}
	for _, e := range members {
		r.Tree = append(r.Tree, e.ident)
	}
	content, err := json.Marshal(r)
	if err != nil || string(content) == g.recorded {
		return err
	}
	path := recordPath(g.order.PIDDir, self.PID)
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	g.recorded = string(content)
	return nil
}

func (g *guard) removeRecord() {
	if g.order.PIDDir == "" {
		return
	}
	path := recordPath(g.order.PIDDir, os.Getpid())
	_, _ = os.Remove(path), os.Remove(path+".new")
}
