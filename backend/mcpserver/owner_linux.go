package mcpserver

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// socketOwner reads the user of the client's end of a loopback connection from
// the kernel's table. known is false when the table cannot be read or holds no
// such row: then nothing is claimed.
func socketOwner(client, server netip.AddrPort) (uid int, known bool) {
	for _, table := range []struct {
		path   string
		prefix string // of an IPv4 address in it
	}{
		{"/proc/net/tcp", ""},
		{"/proc/net/tcp6", "0000000000000000FFFF0000"},
	} {
		f, err := os.Open(table.path)
		if err != nil {
			continue
		}
		uid, known = findOwner(f, table.prefix+procAddr(client), table.prefix+procAddr(server))
		_ = f.Close()
		if known {
			return uid, true
		}
	}
	return 0, false
}

// findOwner looks for the row of the socket local → remote. A row without an
// inode belongs to a process that is gone; it counts as nobody's (-1).
func findOwner(table io.Reader, local, remote string) (uid int, known bool) {
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		f := strings.Fields(lines.Text()) // sl local rem st tx:rx tr:tm retr uid timeout inode
		if len(f) < 10 || f[1] != local || f[2] != remote {
			continue
		}
		if f[9] == "0" {
			return -1, true
		}
		uid, err := strconv.Atoi(f[7])
		return uid, err == nil
	}
	return 0, false
}

// procAddr writes an IPv4 address and port as the kernel's table does.
func procAddr(a netip.AddrPort) string {
	ip := a.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip[:]), a.Port())
}
