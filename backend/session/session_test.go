package session

import "testing"

// TestAfterBoot: what had an agent when the app ended was interrupted, and says
// so; every other session is as it was.
func TestAfterBoot(t *testing.T) {
	for state, live := range map[State]bool{
		Starting: true, Ready: true, Working: true, Cancelling: true, Stopped: false, Failed: false, Interrupted: false,
	} {
		if state.Live() != live {
			t.Errorf("%s: live %v", state, !live)
		}
		before := Session{ID: "s", State: state, Reason: "r", Revision: 7}
		got := before.AfterBoot()
		if live && (got.State != Interrupted || got.Reason == "r" || got.Revision != 7) || !live && got != before {
			t.Errorf("%s: %+v", state, got)
		}
	}
}
