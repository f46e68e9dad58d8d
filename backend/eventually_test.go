package backend

import (
	"testing"
	"time"
)

// eventually looks again and again at what gives no signal: the processes of
// others, files that they write or remove. The test ends after the limit.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(limit); !ok(); {
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("%s: not within %s", what, limit)
		}
	}
}
