// Package cli is what the program does without a window: one file a subcommand.
//
// Our own children are this same binary started with a subcommand (`guard`, `agent`), so the
// arguments are looked at before anything of the window is set up.
//
// Guarantees: a subcommand opens no window, needs no display and never waits for a person; what
// it answers goes to standard output, what went wrong to standard error, and the exit code is 0
// for done, 1 for failed and 2 for a command line or an input that could not be read.
//
// It holds no rules of its own: each file reads arguments, calls one package and prints.
package cli
