package permission

import (
	"errors"
	"testing"
	"time"
)

// TestFirstEndWins: an option that was offered ends a request, or a cancel
// does; after that nothing changes it. Kinds may repeat, ids decide.
func TestFirstEndWins(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	options := []Option{{ID: "1", Kind: "allow_once"}, {ID: "2", Kind: "allow_once"}}
	for _, from := range []State{Open, Selected, Cancelled} {
		r := Request{State: from, Options: options}
		got, err := r.Select("2", at)
		if from == Open && (err != nil || got.State != Selected || got.Chosen != "2" || !got.EndedAt.Equal(at)) {
			t.Errorf("selected: %+v (%v)", got, err)
		}
		if from != Open && (!errors.Is(err, ErrClosed) || got.Chosen != "") {
			t.Errorf("%s, selected: %+v (%v)", from, got, err)
		}
		got, changed := r.Cancel("gone", at)
		if changed != (from == Open) || changed && (got.State != Cancelled || got.Reason != "gone" || got.EndedAt == nil) {
			t.Errorf("%s, cancelled: %+v", from, got)
		}
	}
	for _, none := range []string{"", "3", "allow_once"} {
		if got, err := (Request{State: Open, Options: options}).Select(none, at); !errors.Is(err, ErrOption) || got.State != Open {
			t.Errorf("%q: %+v (%v)", none, got, err)
		}
	}
}
