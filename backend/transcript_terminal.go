package backend

import (
	"slices"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/session"
)

// Bounds of the terminals that one call shows, and of those whose state is kept
// for calls that may still show them.
const (
	maxTerminals     = 16
	maxTerminalsKept = agentctl.MaxTerminalsAll
)

// setTerminal keeps how a terminal stands, and in the call that shows it. It
// reports whether an item changed.
func (t *transcript) setTerminal(now time.Time, state session.Terminal) bool {
	set(&state.Command, &state.Command)
	for id, one := range t.terminals {
		if len(t.terminals) < maxTerminalsKept {
			break
		}
		if one.Ended {
			delete(t.terminals, id)
		}
	}
	t.terminals[state.ID] = state // an agent makes it first and shows it then
	index, shown := t.shown[state.ID]
	if !shown {
		return false
	}
	old := t.items[index].Tool
	at := indexOf(old.Terminals, state.ID)
	if at < 0 {
		return false
	}
	next := *old // readers keep the old value
	next.Terminals = slices.Clone(old.Terminals)
	next.Terminals[at] = state
	t.touch(index, now).Tool = &next
	return true
}

// terminalsOf are the terminals that a call's content names, as they stand.
// before are those that the call showed until now. One that was never made is
// kept without a command.
func (t *transcript) terminalsOf(content []acp.ToolContent, before []session.Terminal, index int) (out []session.Terminal) {
	for _, c := range content {
		if c.Terminal == "" || len(out) == maxTerminals {
			continue
		}
		state, known := t.terminals[c.Terminal]
		if at := indexOf(before, c.Terminal); !known && at >= 0 {
			state, known = before[at], true
		}
		if known {
			t.shown[c.Terminal] = index
		} else {
			state = session.Terminal{Ended: true}
			set(&state.ID, &c.Terminal)
		}
		out = append(out, state)
	}
	return out
}

func indexOf(list []session.Terminal, id string) int {
	return slices.IndexFunc(list, func(one session.Terminal) bool { return one.ID == id })
}

// endTerminals marks what still ran when the app ended. It reports whether
// there was one.
func (t *transcript) endTerminals(index int, now time.Time) bool {
	old := t.items[index].Tool
	if old == nil || !slices.ContainsFunc(old.Terminals, runs) {
		return false
	}
	next := *old
	next.Terminals = slices.Clone(old.Terminals)
	for n := range next.Terminals {
		next.Terminals[n].Ended = true
	}
	t.touch(index, now).Tool = &next
	return true
}

func runs(one session.Terminal) bool { return !one.Ended }

// stored is an item as the database gets it: what a terminal wrote follows when
// its command has ended, else a long build would be written again and again.
func stored(i session.Item) session.Item {
	if i.Tool == nil || !slices.ContainsFunc(i.Tool.Terminals, runs) {
		return i
	}
	tool := *i.Tool
	tool.Terminals = slices.Clone(tool.Terminals)
	for n := range tool.Terminals {
		if runs(tool.Terminals[n]) {
			tool.Terminals[n].Output, tool.Terminals[n].Cut = "", true
		}
	}
	i.Tool = &tool
	return i
}
