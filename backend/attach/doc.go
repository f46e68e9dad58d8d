// Package attach holds what is known of one session's MCP attachment: its
// attempts, the servers of each attempt and the evidence seen about them.
//
// The centre is [Reduce], a pure function: no clock, no I/O, no lock, no
// goroutine. A [History] is an immutable value; Reduce returns a new one and
// shares what did not change, so readers need no lock. The rules are those of
// spec/attachment.md, "Evidence kinds and status" and "Bounds".
//
// An attempt whose end nobody saw, because the app was killed, ends with the last
// that was seen of it, once the next one begins.
//
// The package never holds an argument, a result, a prompt, a credential or a
// full address: evidence carries timestamps, codes and counts, and the bounded
// catalog of the built-in server.
package attach
