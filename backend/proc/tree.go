//go:build linux || darwin

package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// ident names one process for good: a pid comes again, a pid with its start time does not (within one boot).
type ident struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // the system's own unit, only ever compared
}

// entry is one row of the process table.
type entry struct {
	ident
	parent, group, session int
	zombie                 bool
}

// closure is every process that member accepts and everything below it. Rows with a pid of 1 or less are never in it.
func closure(table []entry, member func(entry) bool) []entry {
	children := map[int][]int{}
	var queue []int
	for i, e := range table {
		if e.PID <= 1 {
			continue
		}
		children[e.parent] = append(children[e.parent], i)
		if member(e) {
			queue = append(queue, i)
		}
	}
	taken := make([]bool, len(table))
	var out []entry
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if taken[i] {
			continue
		}
		taken[i] = true
		out = append(out, table[i])
		queue = append(queue, children[table[i].PID]...)
	}
	return out
}

// tree is what descends from one process, including what was seen below it earlier and has moved away since.
type tree struct {
	root int // itself not a member
	seen map[ident]bool
}

func newTree(root int) *tree { return &tree{root: root, seen: map[ident]bool{}} }

// refresh reads the members anew and forgets those that are gone. Zombies are members: they still wait to be reaped.
func (t *tree) refresh() []entry {
	members := closure(processTable(), func(e entry) bool {
		return e.PID != t.root && (e.parent == t.root || t.seen[e.ident])
	})
	clear(t.seen)
	for _, e := range members {
		t.seen[e.ident] = true
	}
	return members
}

// signal sends to all members that match, each by its pid as it was just read.
func (t *tree) signal(sig unix.Signal, match func(entry) bool) {
	for _, e := range t.refresh() {
		if match(e) {
			_ = unix.Kill(e.PID, sig)
		}
	}
}

// killAll sends SIGKILL until members yields no living process, or until limit. It returns each process it killed, and how many live on.
// The pause grows from 5 to 80 ms.
func killAll(limit time.Duration, members func() []entry) (killed map[ident]bool, left int) {
	killed = map[ident]bool{}
	pause := 5 * time.Millisecond
	for end := time.Now().Add(limit); ; {
		left = 0
		for _, e := range members() {
			if e.zombie {
				continue
			}
			left++
			killed[e.ident] = true
			_ = unix.Kill(e.PID, unix.SIGKILL)
		}
		if left == 0 || time.Now().After(end) {
			return killed, left
		}
		time.Sleep(pause)
		pause = min(2*pause, 80*time.Millisecond)
	}
}
