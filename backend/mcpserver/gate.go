package mcpserver

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// connection remembers who owns the client's socket, read at most once.
type connection struct {
	server net.Addr
	once   sync.Once
	refuse bool
}

type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &connection{server: c.LocalAddr()})
}

// admit lets a request in that a local program of this user sent: agents are
// no browsers, so any Origin and any fetch metadata is refused (DNS rebinding,
// cross-site requests), and so is another user's socket where it can be read.
func (s *Server) admit(r *http.Request) bool {
	client, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !client.Addr().Unmap().IsLoopback() {
		return false
	}
	if !s.hostIsOurs(r.Host) || present(r, "Origin") || present(r, "Sec-Fetch-Site") {
		return false
	}
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return true
	}
	c.once.Do(func() {
		server, err := netip.ParseAddrPort(c.server.String())
		if err != nil {
			return
		}
		uid, known := s.limits.owner(client, server)
		c.refuse = known && uid != s.uid
	})
	return !c.refuse
}

func present(r *http.Request, header string) bool {
	_, ok := r.Header[header]
	return ok
}

// hostIsOurs demands the exact host and port: names that merely resolve to
// loopback are a rebinding attack.
func (s *Server) hostIsOurs(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || port != s.port {
		return false
	}
	return host == net.JoinHostPort(name, port) && (name == "127.0.0.1" || name == "localhost" || name == "::1")
}
