// Package event is what the window is told, in order.
//
// Delivery contract (spec/attachment.md, "Telling the window"): there is one
// stream. An event carries one small whole view, at most [MaxView] bytes of
// JSON, never a definition, an argument or a text that person or agent wrote.
// Views of one subject replace each other while they wait; the first goes at
// once, later ones at the pace of their kind, and the last always goes. Seq
// grows by one with every event sent, Prev is the Seq sent before it, Epoch is
// the start of the process: another epoch, or a Prev that is not the reader's
// number, means that the reader asks for a snapshot.
//
// What a reader must not assume: that it sees every state in between, or that
// views of different subjects arrive in the order they changed.
//
// The package has no goroutine and no clock: [Stream] is told the time.
package event
