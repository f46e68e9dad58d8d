package event

import (
	"cmp"
	"slices"
	"time"
)

// Pace of repeated views of one subject: how often one more may be sent. An
// attachment that was at rest may send two at once, so that a list served right
// after "tools changed" is seen without delay; that makes four in the first
// second and three in each later one. A transcript and the plugins' number send
// one at a time.
const (
	PaceAttachment = time.Second / 3
	PaceTranscript = 33 * time.Millisecond
	PacePlugins    = time.Second / 3
	burst          = 2 // of attachments
)

// Stream orders and paces views and keeps the newest one of each subject, so
// that a snapshot and the events after it come from one place. Not safe for
// concurrent use: its owner's lock is the lock that publishes.
type Stream struct {
	epoch   string
	seq     uint64
	waiting []waiting            // in the order they were first published
	paid    map[string]time.Time // until when a paced subject has used up its share
	kept    map[string]View      // the newest view of each subject that a snapshot holds
}

type waiting struct {
	subject string
	view    View
	due     time.Time
}

// NewStream starts a stream; epoch names the start of the process.
func NewStream(epoch string) *Stream {
	return &Stream{epoch: epoch, paid: map[string]time.Time{}, kept: map[string]View{}}
}

// Keep sets what a snapshot holds without sending it; for what is known before
// the window asks, and for what another view tells of a row. An unsent view of
// the same subject is replaced: sent later, it would set the window back.
func (s *Stream) Keep(v View) { s.keep(v) }

func (s *Stream) keep(v View) (waits bool) {
	subject, _ := v.subject()
	if v.kept() {
		s.kept[subject] = v
	} else {
		delete(s.kept, subject)
	}
	at := slices.IndexFunc(s.waiting, func(w waiting) bool { return w.subject == subject })
	if at >= 0 {
		s.waiting[at].view = v
	}
	return at >= 0
}

// Publish keeps a view and puts it up to be sent. An unsent view of the same
// subject is replaced and keeps its place and due time.
func (s *Stream) Publish(now time.Time, v View) {
	if s.keep(v) {
		return
	}
	subject, pace := v.subject()
	due := now
	if pace > 0 {
		if next := s.paid[subject].Add(-v.credit(pace)); next.After(now) {
			due = next
		}
	}
	s.waiting = append(s.waiting, waiting{subject: subject, view: v, due: due})
}

// Take returns the events that are due and the time the next one is, zero when
// none waits. The caller sends them in this order.
func (s *Stream) Take(now time.Time) (events []Event, next time.Time) {
	left := s.waiting[:0]
	for _, w := range s.waiting {
		if w.due.After(now) {
			left = append(left, w)
			if next.IsZero() || w.due.Before(next) {
				next = w.due
			}
			continue
		}
		if _, pace := w.view.subject(); pace > 0 {
			from := now
			if paid := s.paid[w.subject]; paid.After(now) {
				from = paid
			}
			s.paid[w.subject] = from.Add(pace)
		}
		events = append(events, Event{Epoch: s.epoch, Prev: s.seq, Seq: s.seq + 1, View: w.view})
		s.seq++
	}
	clear(s.waiting[len(left):])
	s.waiting = left
	return events, next
}

// Forget drops everything about a session that is gone.
func (s *Stream) Forget(session string) {
	for _, kind := range []string{"attachment/", "transcript/"} {
		delete(s.paid, kind+session)
		delete(s.kept, kind+session)
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w waiting) bool {
		return w.subject == "attachment/"+session || w.subject == "transcript/"+session
	})
}

// Snapshot is every kept view, each list in an order of its own that does not
// depend on when it changed.
type Snapshot struct {
	Epoch       string
	Seq         uint64 // the event sent last; newer ones apply on top
	Projects    []Project
	Tasks       []Task
	Sessions    []Session
	Attachments []Attachment
	Questions   []Question   // answerable ones
	Permissions []Permission // open ones
	Notices     []Notice
	Quit        *QuitRequest // nil = not asked
	PluginsRev  uint64       // see Plugins
}

// Snapshot returns what is kept. Slices are never nil.
func (s *Stream) Snapshot() Snapshot {
	out := Snapshot{
		Epoch: s.epoch, Seq: s.seq, Projects: []Project{}, Tasks: []Task{}, Sessions: []Session{},
		Attachments: []Attachment{}, Questions: []Question{}, Permissions: []Permission{}, Notices: []Notice{},
	}
	for _, v := range s.kept {
		out.add(v)
	}
	slices.SortFunc(out.Projects, func(a, b Project) int { return cmp.Or(cmp.Compare(b.UsedAt, a.UsedAt), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(out.Tasks, func(a, b Task) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortFunc(out.Sessions, func(a, b Session) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortFunc(out.Attachments, func(a, b Attachment) int { return cmp.Compare(a.Session, b.Session) })
	slices.SortFunc(out.Questions, func(a, b Question) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Permissions, func(a, b Permission) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Notices, func(a, b Notice) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func (s *Snapshot) add(v View) {
	switch {
	case v.Project != nil:
		s.Projects = append(s.Projects, *v.Project)
	case v.Task != nil:
		s.Tasks = append(s.Tasks, *v.Task)
	case v.Session != nil:
		s.Sessions = append(s.Sessions, *v.Session)
	case v.Attachment != nil:
		s.Attachments = append(s.Attachments, *v.Fit(MaxSummary).Attachment)
	case v.Question != nil:
		s.Questions = append(s.Questions, *v.Question)
	case v.Permission != nil:
		s.Permissions = append(s.Permissions, *v.Permission)
	case v.Notice != nil:
		s.Notices = append(s.Notices, *v.Notice)
	case v.Quit != nil:
		s.Quit = v.Quit
	case v.Plugins != nil:
		s.PluginsRev = v.Plugins.Revision
	}
}
