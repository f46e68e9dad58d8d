package main

import (
	"encoding/binary"
	"unsafe"
)

// The host's side of the Extism plug-in ABI, as far as a tool needs it: what the
// module gets and gives goes through memory of the host, eight bytes a call.
// Copy this file into your own plugin; it depends on nothing.

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
func input() []byte {
	b := make([]byte, hostInputLength())
	i := 0
	for ; i+8 <= len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], hostInput64(uint64(i)))
	}
	for ; i < len(b); i++ {
		b[i] = byte(hostInput8(uint64(i)))
	}
	return b
}

// put copies text to the host and returns where it is.
func put(s string) uint64 {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	at := hostAlloc(uint64(len(b)))
	i := 0
	for ; i+8 <= len(b); i += 8 {
		hostStore64(at+uint64(i), binary.LittleEndian.Uint64(b[i:]))
	}
	for ; i < len(b); i++ {
		hostStore8(at+uint64(i), uint32(b[i]))
	}
	return at
}

// fetch copies a block of the host, such as a configuration value.
func fetch(at uint64) []byte {
	if at == 0 {
		return nil
	}
	b := make([]byte, hostLength(at))
	i := 0
	for ; i+8 <= len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], hostLoad64(at+uint64(i)))
	}
	for ; i < len(b); i++ {
		b[i] = byte(hostLoad8(at + uint64(i)))
	}
	return b
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
