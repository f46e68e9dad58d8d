package app

import (
	"testing"
	"time"
)

func TestReloadOnceAMinute(t *testing.T) {
	var c crashes
	now := at
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{
		{0, true}, {30 * time.Second, false}, {59 * time.Second, false}, {61 * time.Second, true}, {time.Second, false},
	} {
		if got := c.reload(now.Add(step.after)); got != step.want {
			t.Errorf("a crash %v later: reload %v, want %v", step.after, got, step.want)
		}
		now = now.Add(step.after)
	}
}
