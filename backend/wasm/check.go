package wasm

import (
	"cmp"
	"context"

	"kandev/backend/plugin"
)

// Check looks a module through without running any of its code: that it can be
// compiled, imports only what is here, and speaks the stated convention, or one
// of them. memoryMB is what it asks for; 0 is the default. The error wraps
// ErrModule and says the reason in words for a person.
func Check(ctx context.Context, module []byte, stated plugin.ABI, memoryMB int) (plugin.ABI, error) {
	ctx, end := context.WithTimeout(ctx, loadLimit)
	defer end()
	e, err := compile(ctx, module, cmp.Or(memoryMB, plugin.DefaultMemoryMB), stated)
	if err != nil {
		return "", err
	}
	defer e.close()
	return e.abi, nil
}
