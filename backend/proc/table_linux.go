package proc

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// pollEvery is slow: the kernel hands orphans to the guard, so the poll only keeps the pid file current.
const pollEvery = 5 * time.Second

// processTable reads /proc. Processes that end meanwhile are left out; so is everything when /proc is not there.
func processTable() []entry {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	table := make([]entry, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if e, ok := processEntry(pid); ok {
			table = append(table, e)
		}
	}
	return table
}

func processEntry(pid int) (entry, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	return parseStat(stat)
}

// parseStat reads one /proc/<pid>/stat (proc_pid_stat(5)). The name in brackets is the process's own choice and may hold brackets and blanks.
func parseStat(stat []byte) (e entry, ok bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return entry{}, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 20 {
		return entry{}, false
	}
	for _, number := range []struct {
		text []byte
		into *int
	}{{bytes.TrimSpace(stat[:open]), &e.PID}, {fields[1], &e.parent}, {fields[2], &e.group}, {fields[3], &e.session}} {
		n, err := strconv.Atoi(string(number.text))
		if err != nil {
			return entry{}, false
		}
		*number.into = n
	}
	e.Start = string(fields[19])
	e.zombie = fields[0][0] == 'Z' || fields[0][0] == 'X'
	return e, true
}

// bootID tells one boot from another, since Linux counts start times from the boot.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}
