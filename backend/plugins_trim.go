package backend

import (
	"cmp"
	"slices"

	"kandev/backend/wasm"
)

// maxLoadedBytes bounds the modules that stay loaded between calls. Loaded, a
// module takes about 25 times its size, and as much again as the collector's
// headroom: this is three plugins in Go.
const maxLoadedBytes = 10 << 20

// using notes that a plugin is used, and the size of its module where that is
// known.
func (s *PluginStore) using(id string, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.all[id]; h != nil {
		s.turns++
		h.turn = s.turns
		h.size = max(h.size, size)
	}
}

// trim unloads what was not used for the longest time, beyond the bound. A
// plugin that runs a call is left alone.
func (s *PluginStore) trim() {
	s.mu.Lock()
	var used []*heldPlugin
	for _, h := range s.all {
		if h.run != nil && h.run.Loaded() {
			used = append(used, h)
		}
	}
	slices.SortFunc(used, func(a, b *heldPlugin) int { return cmp.Compare(b.turn, a.turn) })
	var rest []*wasm.Plugin
	total := 0
	for i, h := range used {
		if total += h.size; i > 0 && total > maxLoadedBytes {
			rest = append(rest, h.run)
		}
	}
	s.mu.Unlock()
	for _, run := range rest {
		run.Unload()
	}
}
