// Package agents drives real agents from npm through the real backend: each
// offline, in a network namespace of its own, with dummy keys and a model
// provider of ours that answers by a script (package provider).
//
// It has tests only, for Linux. They need the agents' packages, so they are
// skipped unless KANDEV_AGENTS names the agents to run: `make e2e-agents` and
// `make e2e-agents-ci` install them and set it. README.md says what is proved.
package agents
