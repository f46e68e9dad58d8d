package mcpserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// slow opens a connection that announces a body and never sends it.
func (r *rig) slow(header string) net.Conn {
	r.t.Helper()
	c, err := net.Dial("tcp4", "127.0.0.1:"+r.server.port)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(c, "POST /mcp/attempt-1 HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\n%s\r\n", r.server.port, header)
	return c
}

// ends reads the answer and then the end of the connection.
func ends(t *testing.T, c net.Conn, want int) {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode != want {
		t.Fatal(err, res)
	}
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Error(err)
	}
}

// A body has its time, also that of a request which was refused before it.
func TestSlowBody(t *testing.T) {
	r := setup(t, nil, func(_ *Options, l *limits) { l.body = 20 * time.Millisecond })
	bearer := "Authorization: Bearer " + r.e.Bearer() + "\r\n"
	ends(t, r.slow(bearer+"Transfer-Encoding: chunked\r\n"), http.StatusBadRequest)
	ends(t, r.slow(bearer+"Content-Length: 100\r\n"), http.StatusBadRequest)
	ends(t, r.slow("Content-Length: 100\r\n"), http.StatusUnauthorized)
	ends(t, r.slow("Transfer-Encoding: chunked\r\nOrigin: null\r\n"), http.StatusForbidden)
}

func TestSlowHeader(t *testing.T) {
	r := setup(t, nil, func(_ *Options, l *limits) { l.header = 20 * time.Millisecond })
	c, err := net.Dial("tcp4", "127.0.0.1:"+r.server.port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(c, "POST /mcp/attempt-1 HTTP/1.1\r\n")
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Error("the connection was not ended:", err)
	}
}

// Close waits neither for a body that is being read nor for one of a refused request.
func TestCloseWithSlowBodies(t *testing.T) {
	r := setup(t, nil, func(_ *Options, l *limits) { l.farewell = 20 * time.Millisecond })
	r.slow("Authorization: Bearer " + r.e.Bearer() + "\r\nContent-Length: 100\r\n")
	r.slow("Content-Length: 100\r\n")
	r.init() // both were accepted before this one
	began := time.Now()
	if err := r.server.Close(t.Context()); err != nil || time.Since(began) > patience {
		t.Error(err, time.Since(began))
	}
}
