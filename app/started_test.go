package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestShell: who wants Wails' context gets it as soon as it is there, and goes on without after the limit.
func TestShell(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "wails")
	synctest.Test(t, func(t *testing.T) {
		w := newWindow("1.0", nil)
		began := time.Now()
		if got := w.shell(); got != nil || time.Since(began) != readyLimit {
			t.Errorf("%v after %s", got, time.Since(began))
		}
		go func() {
			time.Sleep(time.Second) //nolint:forbidigo // synctest's clock
			w.started(ctx)
		}()
		began = time.Now()
		if got := w.shell(); got == nil || got.Value(key{}) != "wails" || time.Since(began) != time.Second {
			t.Errorf("%v after %s", got, time.Since(began))
		}
	})
}
