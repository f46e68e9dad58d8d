package backend

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"

	"kandev/backend/secret"
)

// secretsName is the private file in the data folder that stands in for a
// keychain.
const secretsName = "secrets.json"

// vault is the secret store as the database's rows use it: a row holds names,
// the store their values.
type vault struct {
	*secret.Store
	log   *slog.Logger
	later *forgetLater
}

// forgetLater holds the names that only memory has no row for any more while it
// stands in for a file: the file's rows name them still, and are what is left when
// the app is killed. Values of this run are in no row of the file.
type forgetLater struct {
	mu    sync.Mutex
	waits func() bool     // memory stands in for a file; nil = never
	fresh map[string]bool // of this run
	names []string
}

// made notes a name of this run.
func (l *forgetLater) made(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fresh[name] = true
}

// hold reports whether a name is to be forgotten later.
func (l *forgetLater) hold(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waits == nil || !l.waits() || l.fresh[name] {
		return false
	}
	l.names = append(l.names, name)
	return true
}

// due are the names that were held, once nothing waits any more.
func (l *forgetLater) due() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := l.names
	l.names = nil
	return names
}

// openVault makes the store of a data folder whose lock is held; the keychain
// is asked at first use.
func openVault(home string, keychain bool, log *slog.Logger) vault {
	o := secret.Options{Path: filepath.Join(home, secretsName)}
	if keychain {
		o.Ring = secret.System()
	}
	v := vault{Store: secret.Open(o), log: log, later: &forgetLater{fresh: map[string]bool{}}}
	if err := v.Tidy(); err != nil {
		log.Warn("half a file of secrets was not removed", "err", err)
	}
	return v
}

// keep stores new values by name and then, by save, the row that names them: a
// fault in between leaves a value that nobody names, never a row without its
// values. With an error the new ones are forgotten again. What the row no longer
// names is the caller's to forget afterwards.
func (v vault) keep(ctx context.Context, fresh map[string]string, save func() error) (err error) {
	for name, value := range fresh {
		v.later.made(name)
		if err = v.Set(ctx, name, value); err != nil {
			break
		}
	}
	if err == nil {
		err = save()
	}
	if err != nil {
		for name := range fresh {
			v.forget(ctx, name)
		}
	}
	return err
}

// forget deletes values, also when ctx has ended; "" is none. What cannot be
// deleted stays without a row that names it. While memory stands in for a file it
// is done when that is over.
func (v vault) forget(ctx context.Context, names ...string) {
	for _, name := range names {
		if name == "" || v.later.hold(name) {
			continue
		}
		if err := v.Delete(context.WithoutCancel(ctx), name); err != nil {
			v.log.Warn("secret not deleted", "secret", name, "err", err)
		}
	}
}
