package event

import "time"

// Pace of repeated views of one subject.
const (
	PaceAttachment = 250 * time.Millisecond
	PaceTranscript = 33 * time.Millisecond
)

// Stream orders and paces views. Not safe for concurrent use: its owner's lock
// is the lock that publishes.
type Stream struct {
	epoch   string
	seq     uint64
	waiting []waiting            // in the order they were first published
	last    map[string]time.Time // when a paced subject was sent last
}

type waiting struct {
	subject string
	view    View
	due     time.Time
}

// NewStream starts a stream; epoch names the start of the process.
func NewStream(epoch string) *Stream {
	return &Stream{epoch: epoch, last: map[string]time.Time{}}
}

// Epoch returns the name of the process start.
func (s *Stream) Epoch() string { return s.epoch }

// Seq returns the number of the event sent last.
func (s *Stream) Seq() uint64 { return s.seq }

// Publish puts a view up to be sent. An unsent view of the same subject is
// replaced and keeps its place and due time.
func (s *Stream) Publish(now time.Time, v View) {
	subject, pace := v.subject()
	for i := range s.waiting {
		if s.waiting[i].subject == subject {
			s.waiting[i].view = v
			return
		}
	}
	due := now
	if pace > 0 {
		if next := s.last[subject].Add(pace); next.After(now) {
			due = next
		}
	}
	s.waiting = append(s.waiting, waiting{subject: subject, view: v, due: due})
}

// Take returns the events that are due and the time the next one is, zero when
// none waits. The caller sends them in this order.
func (s *Stream) Take(now time.Time) (events []Event, next time.Time) {
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if w.due.After(now) {
			kept = append(kept, w)
			if next.IsZero() || w.due.Before(next) {
				next = w.due
			}
			continue
		}
		if _, pace := w.view.subject(); pace > 0 {
			s.last[w.subject] = now
		}
		events = append(events, Event{Epoch: s.epoch, Prev: s.seq, Seq: s.seq + 1, View: w.view})
		s.seq++
	}
	clear(s.waiting[len(kept):])
	s.waiting = kept
	return events, next
}

// Forget drops what is kept to pace the subjects of a session that is gone.
func (s *Stream) Forget(session string) {
	delete(s.last, "attachment/"+session)
	delete(s.last, "transcript/"+session)
}

// subject names what a view is of, and how often it may be sent. A subject
// that is gone shares the name of what it was, so that it replaces it.
func (v View) subject() (string, time.Duration) {
	switch {
	case v.Attachment != nil:
		return "attachment/" + v.Attachment.Session, PaceAttachment
	case v.Transcript != nil:
		return "transcript/" + v.Transcript.Session, PaceTranscript
	case v.Session != nil:
		return "session/" + v.Session.ID, 0
	case v.SessionGone != "":
		return "session/" + v.SessionGone, 0
	case v.Project != nil:
		return "project/" + v.Project.ID, 0
	case v.ProjectGone != "":
		return "project/" + v.ProjectGone, 0
	case v.Task != nil:
		return "task/" + v.Task.ID, 0
	case v.Question != nil:
		return "question/" + v.Question.ID, 0
	case v.Permission != nil:
		return "permission/" + v.Permission.ID, 0
	case v.Notice != nil:
		return "notice/" + v.Notice.ID, 0
	case v.NoticeGone != "":
		return "notice/" + v.NoticeGone, 0
	}
	return "quit", 0
}
