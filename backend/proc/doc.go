// Package proc starts programs as trees that end as trees, and owns the guard that makes this hold.
//
// Every command runs under a guard: a subcommand of our own binary, parent of the command and leader of its own session.
// The guard holds the read end of a control pipe; the only write end is in the app, so the pipe ends with the app, however the app ends.
// On stop, or when the pipe ends: 3 s for the closed stdin to work, SIGTERM to the command's group, 2 s, SIGKILL to the group and every
// descendant, read again until none is left. When the command ends by itself, what it left behind gets SIGTERM, 2 s, SIGKILL.
//
// Guarantees:
//   - Linux: the guard is a child subreaper. No descendant leaves its tree, so "none is left" is the kernel's word.
//   - The command inherits its three stdio pipes and nothing else. Bytes never flow through the guard.
//   - Environment and arguments reach the command byte for byte; they are not on the guard's command line nor in its environment.
//   - A full stderr never blocks the command: the last bytes are kept, the rest is dropped.
//   - Every wait has an end: starting 15 s, stopping 10 s. A guard that dies or hangs is replaced by the app's own kill.
//   - Nothing is signalled by pid alone: pid and start time must match.
//
// Other systems, compiled here but not run yet: macOS has no subreaper, so the guard polls descendants once a second, and one that leaves
// the session and loses its parent between two polls is missed. Windows needs no guard: the app holds a job object that kills on close.
//
// It does not restart anything, speak any protocol, choose what to run, or redact: the tail of stderr is foreign text.
package proc
