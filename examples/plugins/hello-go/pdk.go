//go:build wasip1

package main

import "unsafe"

// The host's side of the Extism plug-in ABI, as far as a tool needs it: what the
// module gets and gives goes through memory of the host, eight bytes a call.
// Copy this file into your own plugin; it depends on nothing. Tests get
// standin.go in its place.

//go:wasmimport extism:host/env input_length
func hostInputLength() uint64

//go:wasmimport extism:host/env input_load_u64
func hostInput64(at uint64) uint64

//go:wasmimport extism:host/env input_load_u8
func hostInput8(at uint64) uint32

//go:wasmimport extism:host/env alloc
func hostAlloc(n uint64) uint64

//go:wasmimport extism:host/env length
func hostLength(at uint64) uint64

//go:wasmimport extism:host/env load_u64
func hostLoad64(at uint64) uint64

//go:wasmimport extism:host/env load_u8
func hostLoad8(at uint64) uint32

//go:wasmimport extism:host/env store_u64
func hostStore64(at, v uint64)

//go:wasmimport extism:host/env store_u8
func hostStore8(at uint64, v uint32)

//go:wasmimport extism:host/env output_set
func hostOutput(at, n uint64)

//go:wasmimport extism:host/env error_set
func hostError(at uint64)

//go:wasmimport extism:host/env config_get
func hostConfig(key uint64) uint64

// input is what this call was given.
func input() []byte { return take(hostInputLength(), hostInput64, hostInput8, 0) }

// fetch copies a block of the host, such as a configuration value.
func fetch(at uint64) []byte {
	if at == 0 {
		return nil
	}
	return take(hostLength(at), hostLoad64, hostLoad8, at)
}

// take copies n bytes out of the host, by words as far as it goes: a word is
// one call and one store, and the app interprets this code.
func take(n uint64, word func(uint64) uint64, single func(uint64) uint32, at uint64) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	for i := range n / 8 {
		words[i] = word(at + 8*i)
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n) // WebAssembly is little-endian
	for i := n &^ 7; i < n; i++ {
		b[i] = byte(single(at + i))
	}
	return b
}

// put copies text to the host and returns where it is.
func put(s string) uint64 {
	n := uint64(len(s))
	if n == 0 {
		return 0
	}
	at := hostAlloc(n)
	first := unsafe.Pointer(unsafe.StringData(s))
	for i := uint64(0); i+8 <= n; i += 8 {
		hostStore64(at+i, *(*uint64)(unsafe.Add(first, i)))
	}
	for i := n &^ 7; i < n; i++ {
		hostStore8(at+i, uint32(s[i]))
	}
	return at
}

// config is a value of the manifest's "config", empty when the person set none.
func config(key string) string { return string(fetch(hostConfig(put(key)))) }

// output ends a call with an answer.
func output(s string) int32 {
	hostOutput(put(s), uint64(len(s)))
	return 0
}

// fail ends a call with an error that the model reads.
func fail(s string) int32 {
	hostError(put(s))
	return 1
}
