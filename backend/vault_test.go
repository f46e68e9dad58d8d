package backend

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"kandev/backend/secret"
)

// TestVaultKeeps: when the row that names them cannot be stored, new values are
// forgotten again, also after the caller's time is over.
func TestVaultKeeps(t *testing.T) {
	v := openVault(t.TempDir(), false, slog.New(slog.DiscardHandler))
	defer v.Close()
	ctx, cancel := context.WithCancel(t.Context())
	fresh := map[string]string{"a/1": "one", "a/2": "two"}
	full := errors.New("the disk is full")
	stored := func() {
		t.Helper()
		for name, value := range fresh {
			if got, err := v.Get(t.Context(), name); err != nil || got != value {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	err := v.keep(ctx, fresh, func() error { stored(); cancel(); return full })
	if !errors.Is(err, full) {
		t.Error(err)
	}
	for name := range fresh {
		if _, err := v.Get(t.Context(), name); !errors.Is(err, secret.ErrNotFound) {
			t.Errorf("%s stayed: %v", name, err)
		}
	}
	if err := v.keep(t.Context(), fresh, func() error { return nil }); err != nil {
		t.Error(err)
	}
	stored()
	v.forget(t.Context(), "a/1", "", "a/2")
	if _, err := v.Get(t.Context(), "a/2"); !errors.Is(err, secret.ErrNotFound) {
		t.Errorf("a/2 stayed: %v", err)
	}
}
