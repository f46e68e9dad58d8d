package bridge

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// ErrURL means that the address is not one the bridge may connect to.
var ErrURL = errors.New("the address must be http on a loopback host")

// ErrBearer means that the bearer cannot stand in a header.
var ErrBearer = errors.New("the bearer has characters that a header cannot hold")

var errNotLoopback = errors.New("not a loopback address")

// link sends requests to the one endpoint.
type link struct {
	url    string
	bearer string
	http   *http.Client
}

func newLink(address, bearer string, dial time.Duration) (*link, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil || !isLoopback(u.Hostname()) {
		return nil, fmt.Errorf("bridge: %w", ErrURL) // without the address, which may hold a secret
	}
	if strings.ContainsFunc(bearer, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("bridge: %w", ErrBearer)
	}
	dialer := &net.Dialer{Timeout: dial, Control: onlyLoopback}
	return &link{url: address, bearer: bearer, http: &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     time.Minute, // sooner than the endpoint's, so that none is closed under a request
			DisableCompression:  true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// onlyLoopback looks at the address that a name was resolved to.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return errNotLoopback
	}
	return nil
}

func (l *link) close() { l.http.CloseIdleConnections() }

// post sends a message. written is called when the request is on its way, and
// may be nil.
func (l *link) post(ctx context.Context, m *message, s *session, written func()) (*http.Response, error) {
	if written != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { written() },
		})
	}
	q, err := l.request(ctx, http.MethodPost, bytes.NewReader(m.line))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", jsonType)
	q.Header.Set("Accept", jsonType+", "+eventStream)
	if m.modern() {
		q.Header.Set("Mcp-Protocol-Version", m.version)
		q.Header.Set("Mcp-Method", headerValue(m.method))
		if name, has := m.name(); has {
			q.Header.Set("Mcp-Name", headerValue(name))
		}
	} else if m.method != methodInitialize {
		s.identify(q)
	}
	return l.http.Do(q)
}

// stream opens the session's stream of notifications.
func (l *link) stream(ctx context.Context, s *session) (*http.Response, error) {
	q, err := l.request(ctx, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Accept", eventStream)
	s.identify(q)
	return l.http.Do(q)
}

// delete ends a session.
func (l *link) delete(ctx context.Context, s *session) error {
	q, err := l.request(ctx, http.MethodDelete, nil)
	if err != nil {
		return err
	}
	s.identify(q)
	res, err := l.http.Do(q)
	if err != nil {
		return err
	}
	discard(res)
	return nil
}

func (l *link) request(ctx context.Context, method string, body io.Reader) (*http.Request, error) {
	q, err := http.NewRequestWithContext(ctx, method, l.url, body)
	if err == nil && l.bearer != "" {
		q.Header.Set("Authorization", "Bearer "+l.bearer)
	}
	return q, err
}

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// headerValue writes a value of the body as 2026-07-28 wants it in a header:
// as it is, or in base64 between marks when a header could not hold it or when
// it looks like such a mark itself.
func headerValue(s string) string {
	plain := strings.TrimSpace(s) == s &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) &&
		!(strings.HasPrefix(s, sentinelStart) && strings.HasSuffix(s, sentinelEnd))
	if plain {
		return s
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelEnd
}

// discard ends a response of which nothing more is wanted. The connection is
// kept when little is left; a stream is not waited for.
func discard(res *http.Response) {
	if !strings.HasPrefix(res.Header.Get("Content-Type"), eventStream) {
		_, _ = io.CopyN(io.Discard, res.Body, 64<<10)
	}
	_ = res.Body.Close()
}

// isDial reports whether no connection was made, so that nothing was sent.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
