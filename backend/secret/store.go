package secret

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Limit is how long the keychain may take, spec/sessions.md.
const Limit = 3 * time.Second

// MaxValue bounds a value, in bytes. The keychain of Windows takes no more.
const MaxValue = 2560

// Errors of secrets.
var (
	ErrNotFound = errors.New("no such secret")
	ErrTooLong  = errors.New("the value is longer than 2,560 bytes")
	ErrSilent   = errors.New("the keychain did not answer")
	ErrName     = errors.New("a secret needs a name")
)

// Place says where new values go.
type Place string

// Places.
const (
	Keychain Place = "keychain"
	File     Place = "file"
)

// Encrypted reports whether what lies there is encrypted.
func (p Place) Encrypted() bool { return p == Keychain }

// Sentence says it to the person.
func (p Place) Sentence() string {
	if p == Keychain {
		return "Values of headers and environment and secrets of plugins are kept in the keychain of this system."
	}
	return "The keychain of this system is not available: values of headers and environment and secrets of plugins are kept unencrypted in a file that only your user can read."
}

// Options of a store. Path is required.
type Options struct {
	Path  string        // of the private file
	Ring  *Ring         // nil = the file alone
	Limit time.Duration // 0 = Limit
}

// Ring is a keychain as functions that may block. Get answers ErrNotFound for
// a name that it does not hold.
type Ring struct {
	Get    func(name string) (string, error)
	Set    func(name, value string) error
	Delete func(name string) error
}

// Store keeps values by name. Its methods are safe for concurrent use and take
// at most the limit and the time of a small file.
type Store struct {
	file  file
	ring  *Ring
	limit time.Duration
	calls sync.WaitGroup // of the keychain

	mu     sync.Mutex
	probed chan struct{} // closed when it is known whether the keychain is there; nil = nobody asked
	dead   bool          // it is not, or was silent once
	shut   bool          // it refused a value once: it is read, and new ones go to the file
}

// Open makes a store. It does not ask the keychain yet.
func Open(o Options) *Store {
	if o.Limit == 0 {
		o.Limit = Limit
	}
	return &Store{file: file{path: o.Path}, ring: o.Ring, limit: o.Limit}
}

// probe is a name that is never stored: the answer to it shows a keychain.
const probe = "probe"

// Place says where a value would go now. The first call asks the keychain; who
// goes before it has answered is told the file.
func (s *Store) Place(ctx context.Context) Place {
	if s.takes(ctx) {
		return Keychain
	}
	return File
}

// takes reports whether the keychain is there and has refused no value.
func (s *Store) takes(ctx context.Context) bool {
	if !s.usable(ctx) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.shut
}

// Set keeps a value under a name, in the place of the one before. When ctx ends
// first, that is the error, and the value is not put into the file instead.
func (s *Store) Set(ctx context.Context, name, value string) error {
	switch {
	case name == "" || name == probe:
		return ErrName
	case len(value) > MaxValue:
		return fmt.Errorf("%s: %w", name, ErrTooLong)
	}
	if s.takes(ctx) {
		_, err := s.ask(ctx, func() (string, error) { return "", s.ring.Set(name, value) })
		if err == nil {
			return s.file.remove(name) // an older value would be found first
		}
		s.mu.Lock()
		s.shut = s.shut || ctx.Err() == nil
		s.mu.Unlock()
	}
	if s.ring != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.file.set(name, value)
}

// Get is the value of a name, or ErrNotFound, or ctx's error.
func (s *Store) Get(ctx context.Context, name string) (string, error) {
	value, err := s.file.get(name)
	if !errors.Is(err, ErrNotFound) || s.ring == nil {
		return value, err
	}
	if !s.usable(ctx) {
		return "", cmp.Or(ctx.Err(), err)
	}
	value, err = s.ask(ctx, func() (string, error) { return s.ring.Get(name) })
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

// Delete forgets a name wherever its value is; one that is not there is no error.
func (s *Store) Delete(ctx context.Context, name string) error {
	err := s.file.remove(name)
	if s.ring != nil && !s.usable(ctx) {
		err = errors.Join(err, ctx.Err())
	} else if s.ring != nil {
		_, ringErr := s.ask(ctx, func() (string, error) { return "", s.ring.Delete(name) })
		if ringErr != nil && !errors.Is(ringErr, ErrNotFound) {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, ringErr))
		}
	}
	return err
}

// Tidy removes what writes of an earlier process left that was killed: values
// that were forgotten since would stand there. The caller holds the data
// folder's lock, so that no other process writes.
func (s *Store) Tidy() error { return s.file.tidy() }

// Sweep forgets the values in the private file whose names keep does not want.
// A keychain cannot be listed: what nobody names in it stays, encrypted.
func (s *Store) Sweep(keep func(name string) bool) error { return s.file.sweep(keep) }

// Close waits for calls of the keychain, at most the limit: the library cannot
// be interrupted, and a call that hangs ends with the process.
func (s *Store) Close() {
	done := make(chan struct{})
	go func() { defer close(done); s.calls.Wait() }()
	select {
	case <-done:
	case <-time.After(s.limit):
	}
}

// usable asks the keychain once whether it is there, and waits for the answer
// or the end of ctx. Who asked first and goes says nothing about the keychain.
func (s *Store) usable(ctx context.Context) bool {
	if s.ring == nil {
		return false
	}
	s.mu.Lock()
	if s.probed == nil {
		s.probed = make(chan struct{})
		s.calls.Go(s.probe)
	}
	probed := s.probed
	s.mu.Unlock()
	select {
	case <-probed:
	case <-ctx.Done():
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dead
}

// probe finds out whether the keychain is there, within the limit.
func (s *Store) probe() {
	defer close(s.probed)
	_, err := s.ask(context.Background(), func() (string, error) { return s.ring.Get(probe) })
	if err != nil && !errors.Is(err, ErrNotFound) {
		s.bury()
	}
}

func (s *Store) bury() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = true
}

// ask runs one call of the keychain within the limit. A silent one is buried.
func (s *Store) ask(ctx context.Context, call func() (string, error)) (string, error) {
	type answer struct {
		value string
		err   error
	}
	got := make(chan answer, 1)
	s.calls.Go(func() {
		value, err := call()
		got <- answer{value, err}
	})
	timer := time.NewTimer(s.limit)
	defer timer.Stop()
	select {
	case a := <-got:
		return a.value, a.err
	case <-timer.C:
		s.bury()
		return "", ErrSilent
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
