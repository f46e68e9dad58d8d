package secret

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestAtOnce: many callers, also while the keychain is asked for the first time,
// get what each alone would get, and no value is lost.
func TestAtOnce(t *testing.T) {
	for name, ring := range map[string]*Ring{"file alone": nil, "keychain": memory(), "no keychain here": broken()} {
		t.Run(name, func(t *testing.T) {
			s := Open(Options{Path: filepath.Join(t.TempDir(), "secrets.json"), Ring: ring})
			defer s.Close()
			ctx := t.Context()
			var wg sync.WaitGroup
			for n := range 8 {
				wg.Go(func() {
					name := fmt.Sprint("n", n)
					if _, err := s.Get(ctx, name); !errors.Is(err, ErrNotFound) {
						t.Errorf("before it was set: %v", err)
					}
					if err := s.Set(ctx, name, name); err != nil {
						t.Error(err)
					}
					if err := s.Set(ctx, "gone-"+name, name); err != nil {
						t.Error(err)
					}
					if err := s.Delete(ctx, "gone-"+name); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for n := range 8 {
				if got, err := s.Get(ctx, fmt.Sprint("n", n)); got != fmt.Sprint("n", n) || err != nil {
					t.Errorf("%q %v", got, err)
				}
			}
		})
	}
}

// slow is a keychain that answers a second after it was asked.
func slow() *Ring {
	works := memory()
	return &Ring{
		Get:    func(name string) (string, error) { time.Sleep(time.Second); return works.Get(name) },     //nolint:forbidigo // synctest's clock
		Set:    func(name, value string) error { time.Sleep(time.Second); return works.Set(name, value) }, //nolint:forbidigo // synctest's clock
		Delete: func(name string) error { time.Sleep(time.Second); return works.Delete(name) },            //nolint:forbidigo // synctest's clock
	}
}

// TestCallerGoes: who waits no longer says nothing about the keychain: its value
// is not put into the file instead, and the next caller is answered by it.
func TestCallerGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "secrets.json")
		s := Open(Options{Path: path, Ring: slow()})
		defer s.Close()
		for _, after := range []time.Duration{time.Millisecond, 1500 * time.Millisecond} { // in the first question, in the second
			ctx, cancel := context.WithTimeout(t.Context(), after)
			if err := s.Set(ctx, "a", "v"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("set, gone after %s: %v", after, err)
			}
			if _, err := s.Get(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("get, gone after %s: %v", after, err)
			}
			if err := s.Delete(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("delete, gone after %s: %v", after, err)
			}
			cancel()
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("the value stands in the file")
		}
		if got := s.Place(t.Context()); got != Keychain {
			t.Errorf("new values go to the %s", got)
		}
	})
}
