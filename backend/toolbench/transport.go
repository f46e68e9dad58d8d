package toolbench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Sentences, not wrapped further: they are shown to the person.
var (
	errTransport = errors.New("this agent does not speak its transport")
	errURL       = errors.New("its address is not an http or https URL")
	errCommand   = errors.New("it has no command")
)

// transport builds the MCP transport of a configuration. It starts and opens nothing.
func (srv *server) transport(c serverConfig, cwd string) (mcp.Transport, error) {
	switch c.Type {
	case "http", "sse":
		u, err := url.Parse(c.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errURL
		}
		srv.link = newLink(srv.life, c.Headers)
		if c.Type == "sse" {
			return &mcp.SSEClientTransport{Endpoint: c.URL, HTTPClient: srv.link.client()}, nil
		}
		return &mcp.StreamableClientTransport{Endpoint: c.URL, HTTPClient: srv.link.client()}, nil
	case "stdio", "":
		if c.Command == "" {
			return nil, errCommand
		}
		// Killed with the server's life. What it started itself is the guard's: it ends every descendant of ours.
		cmd := exec.CommandContext(srv.life, c.Command, c.Args...)
		if filepath.IsAbs(cwd) {
			cmd.Dir = cwd
		}
		cmd.Env = environment(os.Environ(), c.Env)
		return &mcp.CommandTransport{Command: cmd, TerminateDuration: drainLimit}, nil
	}
	return nil, errTransport
}

// environment is ours without what belongs to Kandev (it may hold a bearer), plus what the session asks for.
func environment(own []string, extra []nameValue) []string {
	env := make([]string, 0, len(own)+len(extra))
	for _, kv := range own {
		if !strings.HasPrefix(strings.ToUpper(kv), "KANDEV_") {
			env = append(env, kv)
		}
	}
	for _, e := range extra {
		env = append(env, e.Name+"="+e.Value)
	}
	return env
}

// link is the HTTP side of one server: its headers go on every request, and every request ends with life.
type link struct {
	life    context.Context
	headers []nameValue
	base    *http.Transport
	status  atomic.Int64  // of the last answer; 0 when there was none
	told    chan struct{} // capacity 1: a notifications/cancelled was delivered
}

func newLink(life context.Context, headers []nameValue) *link {
	return &link{life: life, headers: headers, told: make(chan struct{}, 1), base: &http.Transport{
		Proxy: proxy,
		// No limit for the answer: a question may wait for hours.
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     time.Minute,
	}}
}

// proxy never sends loopback traffic to a proxy.
func proxy(r *http.Request) (*url.URL, error) {
	host := r.URL.Hostname()
	if ip := net.ParseIP(host); strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback() {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// client follows no redirect: the headers are credentials for the address that was given.
func (l *link) client() *http.Client {
	return &http.Client{Transport: l, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// RoundTrip implements http.RoundTripper.
func (l *link) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	unhook := context.AfterFunc(l.life, cancel)
	end := func() { unhook(); cancel() }
	r = r.Clone(ctx)
	for _, h := range l.headers {
		r.Header.Set(h.Name, h.Value)
	}
	if cancels(r) {
		defer func() {
			select {
			case l.told <- struct{}{}:
			default:
			}
		}()
	}
	response, err := l.base.RoundTrip(r)
	if err != nil {
		end()
		l.status.Store(0)
		return nil, err
	}
	l.status.Store(int64(response.StatusCode))
	response.Body = &endingBody{response.Body, end}
	return response, nil
}

// cancels says whether a request carries notifications/cancelled. The library sends it from a goroutine of its own and
// tells nobody when; a session must not be deleted before it.
func cancels(r *http.Request) bool {
	if r.GetBody == nil || r.ContentLength <= 0 || r.ContentLength > 4096 {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return false
	}
	defer func() { _ = body.Close() }()
	var m struct {
		Method string `json:"method"`
	}
	return json.NewDecoder(body).Decode(&m) == nil && m.Method == "notifications/cancelled"
}

// endingBody releases the request's context when the answer is read or thrown away.
type endingBody struct {
	io.ReadCloser
	end func()
}

func (b *endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
