package plugin

import (
	"fmt"
	"time"
)

// State says whether a plugin's tools are offered.
type State string

// The states. A plugin starts installed; only an enabled one is offered.
const (
	Installed State = "installed" // never enabled yet
	Enabled   State = "enabled"
	Disabled  State = "disabled" // see Status.Reason
)

// Reason says why a plugin is disabled.
type Reason string

// The reasons.
const (
	ByPerson  Reason = "person"
	AsksMore  Reason = "asks_more"  // an update asks for more than was granted
	CrashLoop Reason = "crash_loop" // see Looping
	Changed   Reason = "changed"    // its file is not the one that was installed
	Unusable  Reason = "unusable"   // it cannot be loaded, or its names are taken
)

// Status is a plugin's state with the time of the last change. Its methods
// return the next status and change nothing.
type Status struct {
	State  State     `json:"state"`
	Reason Reason    `json:"reason,omitempty"` // only when Disabled
	Detail string    `json:"detail,omitempty"` // a sentence for a person; may be empty
	Since  time.Time `json:"since"`
}

// New is the status after an installation: nothing runs before a person saw
// what it asks for.
func New(now time.Time) Status { return Status{State: Installed, Since: now} }

// Offered reports whether the plugin's tools belong into a session.
func (s Status) Offered() bool { return s.State == Enabled }

// Enable turns the plugin on when its request is covered by the grant. Enabling
// an enabled plugin changes nothing. The error wraps ErrNotGranted.
func (s Status) Enable(asks Asks, now time.Time) (Status, error) {
	if !asks.Nothing() {
		return s, ErrNotGranted
	}
	if s.State == Enabled {
		return s, nil
	}
	return Status{State: Enabled, Since: now}, nil
}

// Disable turns the plugin off. A plugin that was never enabled stays installed
// when a person says so. The first reason is kept: a plugin that fell into a
// crash loop is not re-labelled by what comes after.
func (s Status) Disable(why Reason, detail string, now time.Time) Status {
	if s.State == Disabled || s.State == Installed && why == ByPerson {
		return s
	}
	return Status{State: Disabled, Reason: why, Detail: detail, Since: now}
}

// Update is the status after a new version was installed: one that asks for
// more stays off until it is granted. What was off for the old file's sake
// (asks more, changed, unusable, crash loop) is as newly installed: it may be
// enabled, and is not by itself. What a person switched off stays so.
func (s Status) Update(asks Asks, now time.Time) Status {
	switch {
	case s.State == Installed:
		return Status{State: Installed, Since: now}
	case !asks.Nothing():
		return Status{State: Disabled, Reason: AsksMore, Detail: "This version asks for more than you granted.", Since: now}
	case s.State == Enabled:
		return Status{State: Enabled, Since: now}
	case s.Reason == ByPerson:
		return s
	}
	return Status{State: Installed, Since: now}
}

// Again is the status after the very file that is installed was installed once
// more: that it was another one is over, all else stays.
func (s Status) Again(now time.Time) Status {
	if s.State == Disabled && s.Reason == Changed {
		return New(now)
	}
	return s
}

// The bound of a crash loop: LoopFailures within LoopWindow.
const (
	LoopFailures = 5
	LoopWindow   = time.Minute
)

// Failed adds the time of a trap, an exit or a time-out to the failures that
// are still within the window, in order, and reports whether the plugin loops.
// What a tool itself reports as an error is no failure. Times after now (a clock
// that was set back) count as now. The returned slice has at most LoopFailures
// entries and is the caller's.
func Failed(failures []time.Time, now time.Time) (recent []time.Time, looping bool) {
	for _, at := range failures {
		if at.After(now) {
			at = now
		}
		if now.Sub(at) < LoopWindow {
			recent = append(recent, at)
		}
	}
	recent = append(recent, now)
	recent = recent[max(0, len(recent)-LoopFailures):]
	return recent, len(recent) == LoopFailures
}

// LoopDetail is the sentence for a person.
func LoopDetail(last string) string {
	if last == "" {
		return fmt.Sprintf("Switched off after %d failures within a minute.", LoopFailures)
	}
	return fmt.Sprintf("Switched off after %d failures within a minute. The last one: %.300s", LoopFailures, last)
}
