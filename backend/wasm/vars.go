package wasm

import (
	"bytes"
	"sync"
)

// variables is what a plugin remembers between calls, in memory only and shared
// by its instances. Safe for concurrent use.
type variables struct {
	mu   sync.Mutex
	all  map[string][]byte
	size int // of keys and values
}

// get returns a copy; nil when there is none.
func (v *variables) get(key string) []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return bytes.Clone(v.all[key])
}

func (v *variables) drop(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.remove(key)
}

func (v *variables) remove(key string) {
	if old, ok := v.all[key]; ok {
		v.size -= len(key) + len(old)
		delete(v.all, key)
	}
}

// set keeps a copy. When it does not fit, the old value stays and it says false.
func (v *variables) set(key string, value []byte) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	size := v.size + len(key) + len(value)
	if old, ok := v.all[key]; ok {
		size -= len(key) + len(old)
	}
	const perKey = 64 // an empty value is not free
	if size > maxVars || (len(v.all)+1)*perKey > maxVars {
		return false
	}
	v.remove(key)
	if v.all == nil {
		v.all = map[string][]byte{}
	}
	v.all[key] = bytes.Clone(value)
	v.size = size
	return true
}
