// Package doctor looks at what the app needs on this machine: a display, the web view, room and rights in the data
// folder, a database that it can read, agents, git, a keychain.
//
// Guarantees: it starts no agent and no window, changes nothing, and writes only a probe file that it removes. The
// database is opened read-only, also while the app runs. Every look has an end: the login shell, the keychain and
// the running app are given seconds. What it answers holds no secret.
//
// It repairs nothing; each finding says how to.
package doctor

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"kandev/backend/agent"
	"kandev/backend/secret"
)

// State of a finding.
type State string

// States, from good to bad.
const (
	OK      State = "ok"
	Note    State = "note"    // the app works without it, or differently
	Missing State = "missing" // the app cannot work, or cannot keep anything
)

// Finding is one thing that was looked at. Texts are for people, in whole sentences.
type Finding struct {
	ID     string `json:"id"` // stable: display, web_view, data_folder, disk, database, running, agent.claude, git, keychain
	Title  string `json:"title"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // what to do; "" = nothing
}

// Options of an examination. Home, Version, Getenv, Find, Running and Holder are required.
type Options struct {
	Home    string // the data folder
	Version string // of this program
	Getenv  func(string) string
	// Path searches for git: the PATH of the login shell merged with ours.
	Path string
	// Find looks for an agent's program as the app does, also where that PATH does not lead.
	Find func(name string) (path string, err error)
	// Running answers the version of the app that has the data folder; an error says that none answers.
	Running func(home string) (string, error)
	// Holder is the pid in the lock file of the data folder when it is held; 0 = nobody has it.
	Holder func(home string) int
	// Keychain tells where values would go; nil = Secrets' own.
	Keychain func(context.Context) secret.Place

	// Of tests.
	goos   string
	free   func(dir string) (uint64, error)
	maps   string // what this process has loaded
	agents []agent.Definition
}

// limit bounds each look that waits for somebody else.
const limit = 3 * time.Second

// Examine looks at everything, in the order in which a person would repair it.
func Examine(ctx context.Context, o Options) []Finding {
	if o.goos == "" {
		o.goos = runtime.GOOS
	}
	if o.free == nil {
		o.free = freeBytes
	}
	if o.maps == "" {
		o.maps = "/proc/self/maps"
	}
	if o.agents == nil {
		o.agents = agent.Known()
	}
	if o.Keychain == nil {
		o.Keychain = func(ctx context.Context) secret.Place {
			store := secret.Open(secret.Options{Path: o.Home, Ring: secret.System()})
			defer store.Close()
			return store.Place(ctx)
		}
	}
	findings := []Finding{
		{ID: "program", Title: "Program", State: OK, Detail: fmt.Sprintf("Kandev Desktop %s on %s/%s.", o.Version, runtime.GOOS, runtime.GOARCH)},
		o.display(ctx), o.webView(),
	}
	findings = append(findings, o.dataFolder()...)
	findings = append(findings, o.database(ctx), o.running(), o.git())
	findings = append(findings, o.foundAgents()...)
	return append(findings, o.keychain(ctx))
}

// Failed reports whether something that is needed is missing.
func Failed(findings []Finding) bool {
	for _, f := range findings {
		if f.State == Missing {
			return true
		}
	}
	return false
}
