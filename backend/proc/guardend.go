//go:build linux || darwin

package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// settleLimit is for the reaper to catch up with what was sent SIGKILL.
const settleLimit = time.Second

// end takes the tree down in the order the package comment names, and returns how many processes are left.
// When the agent has ended by itself, only what it left behind is taken down.
func (g *guard) end() int {
	grace := g.order.Grace
	g.awaitAgent(time.Now().Add(grace.Stdin))
	deadline := time.Now().Add(grace.Term)
	if !g.agentEnded() {
		// Still ours to reap, so the group's number cannot have been given to another.
		_ = unix.Kill(-g.agent.group, unix.SIGTERM)
		g.awaitAgent(deadline)
	}
	if g.agentEnded() {
		g.reportResult()
		g.tree.signal(unix.SIGTERM, func(entry) bool { return true })
		g.awaitNone(deadline)
	}
	left := g.kill(time.Now().Add(grace.Kill))
	g.awaitAgent(time.Now().Add(settleLimit))
	g.reportResult()
	return left
}

// kill repeats until the tree is gone, because what forks while the table is read shows only the next time.
func (g *guard) kill(deadline time.Time) (left int) {
	for !g.none() {
		if !g.agentEnded() {
			_ = unix.Kill(-g.agent.group, unix.SIGKILL)
		}
		_, left = killAll(time.Until(deadline), g.tree.refresh)
		if time.Now().After(deadline) {
			return left
		}
		g.awaitNone(time.Now().Add(20 * time.Millisecond))
	}
	return 0
}

// none says that nothing is left. With adoption, that is when there is nothing to reap: the kernel hands on the children of a process
// before it lets that process be reaped, so there is no moment between. Without, the table must say so.
func (g *guard) none() bool {
	select {
	case <-g.childless:
	default:
		return false
	}
	if adopts {
		return true
	}
	for _, e := range g.tree.refresh() {
		if !e.zombie {
			return false
		}
	}
	return true
}

func (g *guard) agentEnded() bool {
	select {
	case <-g.ended:
		return true
	default:
		return false
	}
}

func (g *guard) awaitAgent(deadline time.Time) {
	select {
	case <-g.ended:
	case <-time.After(time.Until(deadline)):
	}
}

func (g *guard) awaitNone(deadline time.Time) {
	childless := g.childless
	for !g.none() && time.Now().Before(deadline) {
		select {
		case <-childless:
			childless = nil
		case <-time.After(min(20*time.Millisecond, time.Until(deadline))):
		}
	}
}

// reportResult says once how the agent ended.
func (g *guard) reportResult() {
	if g.reported || !g.agentEnded() {
		return
	}
	g.reported = true
	if g.result.Signaled() {
		g.report(status{kind: signalled, number: int(g.result.Signal())})
		return
	}
	g.report(status{kind: exited, number: g.result.ExitStatus()})
}
