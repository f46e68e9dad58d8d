package event

import (
	"fmt"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func attachment(session string, rev uint64) View {
	return View{Attachment: &Attachment{Session: session, CatalogRev: rev}}
}

func TestChainHasNoGap(t *testing.T) {
	s := NewStream("e")
	last := uint64(0)
	at := now
	for i := range 100 {
		s.Publish(at, attachment(fmt.Sprint("s", i%3), uint64(i)))
		s.Publish(at, View{Transcript: &Transcript{Session: "s0", Revision: int64(i)}})
		events, _ := s.Take(at)
		for _, e := range events {
			if e.Prev != last || e.Seq != last+1 || e.Epoch != "e" {
				t.Fatalf("event %d has prev %d after %d", e.Seq, e.Prev, last)
			}
			last = e.Seq
		}
		at = at.Add(7 * time.Millisecond)
	}
}

// TestPace: the first goes at once, then at most four a second, the last always.
func TestPace(t *testing.T) {
	s := NewStream("e")
	var sent []uint64
	at := now
	for i := range 100 { // one second
		s.Publish(at, attachment("s", uint64(i)))
		events, _ := s.Take(at)
		for _, e := range events {
			sent = append(sent, e.View.Attachment.CatalogRev)
		}
		at = at.Add(10 * time.Millisecond)
	}
	if len(sent) != 4 || sent[0] != 0 || sent[1] != 1 {
		t.Errorf("sent %v in one second, want two at once and two more", sent)
	}
	_, next := s.Take(at.Add(-10 * time.Millisecond))
	events, rest := s.Take(next)
	if len(events) != 1 || events[0].View.Attachment.CatalogRev != 99 || !rest.IsZero() {
		t.Errorf("the last view was not sent: %v", events)
	}
}

// TestPaceOfATranscript: one revision in 33 ms at most, the last always.
func TestPaceOfATranscript(t *testing.T) {
	s := NewStream("e")
	var sent []int64
	at := now
	for i := range 98 { // 294 ms
		s.Publish(at, View{Transcript: &Transcript{Session: "s", Revision: int64(i)}})
		events, _ := s.Take(at)
		for _, e := range events {
			sent = append(sent, e.View.Transcript.Revision)
		}
		at = at.Add(3 * time.Millisecond)
	}
	if len(sent) != 9 || sent[0] != 0 {
		t.Errorf("sent %v in 294 ms, want the first and one every 33 ms", sent)
	}
	if events, _ := s.Take(at.Add(PaceTranscript)); len(events) != 1 || events[0].View.Transcript.Revision != 97 {
		t.Errorf("the last was not sent: %v", events)
	}
}

// TestForget: a session that is gone is in no snapshot and no event any more.
func TestForget(t *testing.T) {
	s := NewStream("e")
	s.Publish(now, attachment("s", 1))
	s.Publish(now, View{Transcript: &Transcript{Session: "s", Revision: 1}})
	s.Publish(now, attachment("other", 1))
	s.Forget("s")
	s.Publish(now, View{SessionGone: "s"})
	events, _ := s.Take(now)
	if len(events) != 2 || events[0].View.Attachment.Session != "other" || events[1].View.SessionGone != "s" {
		t.Errorf("%+v", events)
	}
	if got := s.Snapshot().Attachments; len(got) != 1 || got[0].Session != "other" {
		t.Errorf("%+v", got)
	}
}

// TestRowIsNotSetBack: a row that waits behind the revision of its transcript
// has that revision when it is sent.
func TestRowIsNotSetBack(t *testing.T) {
	s := NewStream("e")
	row := func(revision int64) View { return View{Session: &Session{ID: "s", Revision: revision}} }
	transcript := func(revision int64) View { return View{Transcript: &Transcript{Session: "s", Revision: revision}} }
	s.Publish(now, transcript(1))
	s.Publish(now, row(1))
	s.Keep(row(2))
	s.Publish(now, transcript(2))
	events, _ := s.Take(now)
	if len(events) != 2 || events[0].View.Transcript.Revision != 2 || events[1].View.Session.Revision != 2 {
		t.Errorf("%+v", events)
	}
}

func TestSubjectsDoNotDelayEachOther(t *testing.T) {
	s := NewStream("e")
	for rev := range uint64(burst) {
		s.Publish(now, attachment("a", rev))
		s.Take(now)
	}
	s.Publish(now, attachment("a", 9))
	s.Publish(now, View{Session: &Session{ID: "b"}})
	events, next := s.Take(now)
	if len(events) != 1 || events[0].View.Session == nil || next != now.Add(PaceAttachment) {
		t.Errorf("%v, next %v", events, next)
	}
}

func TestSnapshotHoldsTheNewest(t *testing.T) {
	s := NewStream("e")
	s.Keep(View{Project: &Project{ID: "p", UsedAt: 1}})
	s.Publish(now, View{Session: &Session{ID: "s", State: "ready"}})
	s.Publish(now, View{Session: &Session{ID: "s", State: "working"}})
	s.Publish(now, View{Question: &Question{ID: "q", State: "open"}})
	s.Publish(now, View{Permission: &Permission{ID: "r", State: "open"}})
	s.Publish(now, View{Notice: &Notice{ID: "n"}})
	s.Publish(now, View{Quit: &QuitRequest{Agents: []string{"Codex"}}})
	if s.Snapshot().Quit == nil {
		t.Error("the quit question is lost by a reload")
	}
	s.Publish(now, View{Quit: &QuitRequest{}})
	if s.Snapshot().Quit != nil {
		t.Error("a withdrawn quit question came back")
	}
	got := s.Snapshot()
	if len(got.Sessions) != 1 || got.Sessions[0].State != "working" || len(got.Questions) != 1 || len(got.Permissions) != 1 || len(got.Notices) != 1 || len(got.Projects) != 1 {
		t.Fatalf("%+v", got)
	}
	s.Publish(now, View{Question: &Question{ID: "q", State: "answered"}})
	s.Publish(now, View{Permission: &Permission{ID: "r", State: "selected"}})
	s.Publish(now, View{NoticeGone: "n"})
	s.Publish(now, View{SessionGone: "s"})
	got = s.Snapshot()
	if len(got.Sessions)+len(got.Questions)+len(got.Permissions)+len(got.Notices) != 0 {
		t.Errorf("what is gone stayed: %+v", got)
	}
	events, _ := s.Take(now)
	if got := s.Snapshot(); got.Seq != uint64(len(events)) {
		t.Errorf("seq %d after %d events", got.Seq, len(events))
	}
}
