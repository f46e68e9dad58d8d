// Package tool holds what one MCP tool of ours is and the rules every call of
// it goes through: the registration gate, the immutable set, the alias of
// clients that namespace by server, argument validation and the guarded call.
//
// A [Set] is immutable and swapped in whole; a request captures one at its
// start, so that alias, lookup, validation and provenance read the same tools.
// No goroutine and no I/O of its own; schemas never load a file or a URL.
package tool
