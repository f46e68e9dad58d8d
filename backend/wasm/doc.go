// Package wasm runs plugins: it looks through a module's every byte before the
// engine sees it, hosts the Extism plug-in ABI on wazero's interpreter, and
// turns a plugin into tool definitions.
//
// A module has no file, process, environment or socket; it reaches hosts by
// grant only, and its configuration by declared key only. Whatever it does (a
// loop, a trap, a flood, a file made to exhaust a decoder), a call ends within
// its limit with one clean line, and the process and the other plugins live on.
// A [Plugin] is safe for concurrent use. The scan changes what it lets through:
// it adds the points at which a call can be stopped, see [Scan].
//
// It stores nothing, grants nothing, and logs neither arguments nor results. It
// does not run components, and it does not compile to native code.
package wasm
