// Package backend is the composition root and the only package that changes
// state: it opens the data folder, starts and ends agents, records what is
// observed, asks the person, and tells the window.
//
// Locks, in this order: a conversation's mu guards one session; Backend.mu
// guards the maps of projects, tasks and sessions; the outlet's mu is the lock
// that publishes. None is held across an ACP request, an MCP call, a SQLite
// statement or a wait. Values that leave a lock are copies or immutable. A
// session's id, task, project and agent never change and are read without.
//
// What a person keeps changes one change at a time: customs.changing, then
// Backend.serversMu, and PluginStore.changing are held while values, rows and
// files are written. They are taken before every lock above, and nothing that a
// session does waits for them.
//
// Every goroutine and child process has an owner here that Close waits for.
package backend
