//go:build race

package wasm

const raced = true
