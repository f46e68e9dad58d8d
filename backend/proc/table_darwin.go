package proc

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// pollEvery is how macOS finds descendants before they lose their parent: nothing hands orphans to the guard.
const pollEvery = time.Second

const zombieState = 5 // SZOMB in sys/proc.h

func processTable() []entry {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	table := make([]entry, 0, len(all))
	for i := range all {
		table = append(table, fromKinfo(&all[i]))
	}
	return table
}

func processEntry(pid int) (entry, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return entry{}, false
	}
	return fromKinfo(info), true
}

func fromKinfo(info *unix.KinfoProc) entry {
	began := info.Proc.P_starttime
	e := entry{
		ident:  ident{PID: int(info.Proc.P_pid), Start: fmt.Sprintf("%d.%06d", began.Sec, began.Usec)},
		parent: int(info.Eproc.Ppid),
		group:  int(info.Eproc.Pgid),
		zombie: info.Proc.P_stat == zombieState,
	}
	if session, err := unix.Getsid(e.PID); err == nil {
		e.session = session
	}
	return e
}

// bootID is empty: macOS start times are times of day.
func bootID() string { return "" }
