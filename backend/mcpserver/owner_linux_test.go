package mcpserver

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
)

func TestSocketOwner(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for _, network := range []string{"tcp4", "tcp"} {
		c, err := net.Dial(network, ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		uid, known := socketOwner(netip.MustParseAddrPort(c.LocalAddr().String()), netip.MustParseAddrPort(c.RemoteAddr().String()))
		if known && uid != os.Getuid() {
			t.Errorf("%s: uid %d", network, uid)
		}
		if !known {
			t.Logf("%s: the kernel's table cannot be read here", network)
		}
		_ = c.Close()
	}
}

func TestFindOwner(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 33 1 0 100 0 0 10 0
   1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 34 1 0 20 4 30 10 -1
   2: 0100007F:D432 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
short row
`
	for local, want := range map[string]struct {
		uid   int
		known bool
	}{"0100007F:D431": {1001, true}, "0100007F:D432": {-1, true}, "0100007F:D433": {0, false}} {
		uid, known := findOwner(strings.NewReader(table), local, "0100007F:1F90")
		if uid != want.uid || known != want.known {
			t.Errorf("%s: %d %v", local, uid, known)
		}
	}
}
