package backend

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"kandev/backend/agent"
)

// minCredential is the smallest file, in bytes, that can hold a login: an agent
// that was logged out may leave an empty object.
const minCredential = 8

// logins is what agents said themselves of being logged in, and the logins that
// run. The zero value is ready to use.
type logins struct {
	mu      sync.Mutex
	wanted  map[string]bool        // agents that refused a session without a login
	running map[string]*agentLogin // by agent; the last one of each stays to be read
}

// wantsLogin keeps what an agent said; a login or an accepted session ends it.
func (l *logins) wantsLogin(agentID string, wanted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !wanted {
		delete(l.wanted, agentID)
		return
	}
	if l.wanted == nil {
		l.wanted = map[string]bool{}
	}
	l.wanted[agentID] = true
}

// all are the logins that were begun, ended ones too.
func (l *logins) all() []*agentLogin {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.running))
}

// loginState looks at variables and at which files exist; it reads none and
// asks no program. The note says what was seen, "" for nothing.
func (b *Backend) loginState(d agent.Definition) (state agent.LoginState, note string) {
	if d.Embedded {
		return agent.LoginNone, ""
	}
	b.logins.mu.Lock()
	wanted := b.logins.wanted[d.ID]
	b.logins.mu.Unlock()
	if wanted {
		return agent.LoginMissing, "It asked for a login when it was started last."
	}
	for _, name := range d.Credentials.Env {
		if value, _ := b.getenv(name); strings.TrimSpace(value) != "" {
			return agent.LoginFound, fmt.Sprintf("The variable %s is set.", name)
		}
	}
	looked := places{goos: runtime.GOOS, home: b.personHome(), getenv: b.getenv}
	for _, file := range d.Credentials.Files {
		shown := "$" + file.Variable
		root, ok := looked.root(shown)
		if file.Variable == "" || !ok {
			shown = file.Folder
			root, ok = looked.root(shown)
		}
		if !ok {
			continue
		}
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(file.Name)))
		if err == nil && info.Mode().IsRegular() && info.Size() >= minCredential {
			return agent.LoginFound, fmt.Sprintf("The file %s/%s is there.", shown, file.Name)
		}
	}
	if d.Credentials.Only {
		return agent.LoginMissing, "Nothing was found where it keeps its login."
	}
	return agent.LoginUnknown, ""
}
