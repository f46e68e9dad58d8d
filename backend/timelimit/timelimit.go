// Package timelimit is the one table of the waits that are promised to end
// (spec/agents.md, "Time limits"). Who waits takes the limit from here and
// applies it; a test beside each of them shows that the wait ends.
//
// It does not hold what is no promise to anybody: pauses, paces, the parts that a
// limit is made of, and the limits of what only one package knows of.
package timelimit

import "time"

// The table.
const (
	Initialize    = 60 * time.Second // of ACP
	StillStarting = 5 * time.Second  // of it, until the person is told that it takes long
	Authenticate  = 5 * time.Minute  // of ACP; a person may be in a browser meanwhile
	Session       = 2 * time.Minute  // session/new and session/load, and so a reset
	Cancel        = 10 * time.Second // from session/cancel to the end of the turn; then the agent is ended
	ToolHandler   = 60 * time.Second // of a tool that states none of its own
	Question      = 2 * time.Hour    // open to be answered
	PluginCall    = 30 * time.Second // of a plugin that was granted no other
	HTTPHeader    = 10 * time.Second // of a request to our endpoint
	HTTPBody      = 30 * time.Second // of it
	HTTPWrite     = 30 * time.Second // one write of its answer
	LoginShell    = 5 * time.Second  // to say its environment
	VersionProbe  = 5 * time.Second  // an agent's program with --version
	Quit          = 10 * time.Second // from the person's word to the end of all agents
)
