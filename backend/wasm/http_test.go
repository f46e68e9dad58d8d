package wasm

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/tool"
)

const secretBody = `{"content":[{"type":"text","text":"INTERNAL"}]}`

// resolving answers host names from a table; one call takes the next of a
// name's addresses, as a rebinding name server would.
func resolving(table map[string][]string) Resolve {
	next := map[string]int{}
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		addrs := table[host]
		if len(addrs) == 0 {
			return nil, errors.New("no such host")
		}
		i := min(next[host], len(addrs)-1)
		next[host]++
		return []netip.Addr{netip.MustParseAddr(addrs[i])}, nil
	}
}

// fetch runs a plugin that requests one address.
func fetch(t *testing.T, request string, private bool, hosts []string, resolve Resolve) (tool.Result, *Failure) {
	t.Helper()
	p := opened(t, fetching(request).Wasm(), func(o *Options) {
		o.Grant.Hosts, o.Grant.PrivateNetwork, o.Resolve = hosts, private, resolve
		o.Grant.TimeoutMS = 20_000
	})
	return p.Call(t.Context(), "echo", json.RawMessage(`{}`))
}

func asking(url string) string { return fmt.Sprintf(`{"url":%q,"headers":{"X-Key":"k3y"}}`, url) }

func TestHTTPByGrant(t *testing.T) {
	var hits atomic.Int32
	var key atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		key.Store(r.Header.Get("X-Key"))
		switch r.URL.Path {
		case "/ok":
			fmt.Fprint(w, secretBody)
		case "/to": // a redirect to wherever the query says
			http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/large":
			fmt.Fprint(w, strings.Repeat("x", maxHTTPBody+1))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(make([]byte, 2*maxHTTPBody))
			_ = z.Close()
		case "/headers":
			w.Header().Set("X-Big", strings.Repeat("x", 2*maxHTTPHeaders))
			fmt.Fprint(w, secretBody)
		}
	}))
	defer server.Close()
	port := server.URL[strings.LastIndex(server.URL, ":"):]
	table := map[string][]string{
		"api.test": {"127.0.0.1"}, "other.test": {"127.0.0.1"}, "evil.test": {"127.0.0.1"}, "meta.test": {"169.254.169.254"},
	}
	for name, c := range map[string]struct {
		url     string
		private bool
		hosts   []string
		says    string // of the failure; empty: it works
		hits    int32
		key     string // what the last request carried
	}{
		"granted":                     {"http://api.test" + port + "/ok", true, []string{"api.test"}, "", 1, "k3y"},
		"wildcard":                    {"http://api.test" + port + "/ok", true, []string{"*"}, "", 1, "k3y"},
		"by address":                  {server.URL + "/ok", true, []string{"127.0.0.1"}, "", 1, "k3y"},
		"not granted":                 {"http://other.test" + port + "/ok", true, []string{"api.test"}, `the host "other.test" was not granted`, 0, ""},
		"user in front":               {"http://api.test@other.test" + port + "/ok", true, []string{"api.test"}, `"other.test" was not granted`, 0, ""},
		"private, name":               {"http://api.test" + port + "/ok", false, []string{"api.test"}, "in a private network", 0, ""},
		"private, address":            {server.URL + "/ok", false, []string{"*"}, "in a private network", 0, ""},
		"private, IPv6 form":          {"http://[::ffff:127.0.0.1]" + port + "/ok", false, []string{"*"}, "in a private network", 0, ""},
		"link-local":                  {"http://meta.test/latest", false, []string{"*"}, "in a private network", 0, ""},
		"number as host":              {"http://2130706433" + port + "/ok", true, []string{"*"}, "was not granted", 0, ""},
		"redirect, granted":           {"http://api.test" + port + "/to?u=http://other.test" + port + "/ok", true, []string{"api.test", "other.test"}, "", 2, ""},
		"redirect, same host":         {"http://api.test" + port + "/to?u=/ok", true, []string{"api.test"}, "", 2, "k3y"},
		"redirect, not granted":       {"http://api.test" + port + "/to?u=http://evil.test" + port + "/ok", true, []string{"api.test"}, `a redirect: the host "evil.test" was not granted`, 1, "k3y"},
		"redirect to another address": {"http://api.test" + port + "/to?u=http://127.0.0.1" + port + "/ok", true, []string{"api.test"}, "a redirect", 1, "k3y"},
		"redirect to a file":          {"http://api.test" + port + "/to?u=file:///etc/passwd", true, []string{"*"}, "only http and https", 1, "k3y"},
		"redirect round":              {"http://api.test" + port + "/round", true, []string{"*"}, "too many redirects", maxRedirects + 1, "k3y"},
		"too large":                   {"http://api.test" + port + "/large", true, []string{"*"}, "more than 10 MiB", 1, "k3y"},
		"gzip bomb":                   {"http://api.test" + port + "/bomb", true, []string{"*"}, "more than 10 MiB", 1, "k3y"},
		"huge headers":                {"http://api.test" + port + "/headers", true, []string{"*"}, "HTTP request failed", 1, "k3y"},
		"unknown name":                {"http://nowhere.test/", true, []string{"*"}, "is not known", 0, ""},
		"nobody listens":              {"http://api.test:1/", true, []string{"*"}, "cannot be reached", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			hits.Store(0)
			key.Store("")
			r, fail := fetch(t, asking(c.url), c.private, c.hosts, resolving(table))
			switch {
			case c.says == "" && (fail != nil || r.Text != "INTERNAL"):
				t.Errorf("%+v %+v", r, fail)
			case c.says != "" && (fail == nil || fail.Outcome != Refused || !strings.Contains(fail.Line, c.says)):
				t.Errorf("%+v %+v, want %q", r, fail, c.says)
			}
			if hits.Load() != c.hits || key.Load() != c.key {
				t.Errorf("%d requests arrived, the last with key %q; want %d with %q", hits.Load(), key.Load(), c.hits, c.key)
			}
		})
	}
}

// A name that first resolves to an open address and then to a private one gains
// nothing: each connection dials the address it looked at.
func TestHTTPRebinding(t *testing.T) {
	var hits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		fmt.Fprint(w, secretBody)
	}))
	defer server.Close()
	port := server.URL[strings.LastIndex(server.URL, ":"):]
	for name, addrs := range map[string][]string{
		"private at once":    {"127.0.0.1"},
		"private the second": {"192.0.2.1", "127.0.0.1"}, // the first is a documentation address, which nobody has
	} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, fetching(asking("http://rebind.test"+port+"/ok")).Wasm(), func(o *Options) {
				o.Grant.Hosts, o.Resolve = []string{"*"}, resolving(map[string][]string{"rebind.test": addrs})
			})
			for range 3 {
				if _, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`)); fail == nil || !strings.Contains(fail.Line, "private network") {
					t.Errorf("%+v", fail)
				}
			}
		})
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests arrived", hits.Load())
	}
}

// The proxy of the environment is not asked: it would dial for the plugin.
func TestHTTPNoProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was used") }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	p := opened(t, fetching(asking("http://a.test/")).Wasm(), nil)
	if p.client.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy is set")
	}
}

// A server that never answers is left at the deadline.
func TestHTTPEndsWithTheCall(t *testing.T) {
	gone := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/half" {
			_, _ = w.Write([]byte("{"))
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
		gone <- struct{}{}
	}))
	defer server.Close()
	for _, path := range []string{"/", "/half"} {
		p := opened(t, fetching(asking(server.URL+path)).Wasm(), func(o *Options) {
			o.Grant.Hosts, o.Grant.PrivateNetwork, o.Grant.TimeoutMS = []string{"127.0.0.1"}, true, 300
		})
		// It is the host that failed: no crash of the plugin's.
		_, fail := p.Call(t.Context(), "echo", json.RawMessage(`{}`))
		if fail == nil || fail.Outcome != Refused || fail.Outcome.Crashed() || fail.Line != "HTTP request failed: no whole answer came within 300ms" {
			t.Errorf("%s: %+v", path, fail)
		}
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Error("the request still runs")
		}
		p.Close()
	}
}

// A call that is cancelled or whose plugin is taken away while a host does not
// answer says that, and not that the host did not.
func TestHTTPCutShort(t *testing.T) {
	came := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { came <- struct{}{}; <-r.Context().Done() }))
	defer server.Close()
	for want, cut := range map[string]func(p *Plugin, cancel func()){
		"it was cancelled": func(_ *Plugin, cancel func()) { cancel() },
		"the plugin was switched off, updated or removed while it ran": func(p *Plugin, _ func()) { p.Close() },
	} {
		p := opened(t, fetching(asking(server.URL)).Wasm(), func(o *Options) {
			o.Grant.Hosts, o.Grant.PrivateNetwork, o.Grant.TimeoutMS = []string{"127.0.0.1"}, true, 60_000
		})
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan *Failure, 1)
		go func() {
			_, fail := p.Call(ctx, "echo", json.RawMessage(`{}`))
			failed <- fail
		}()
		<-came
		cut(p, cancel)
		if fail := <-failed; fail == nil || fail.Outcome != Cancelled || fail.Line != want {
			t.Errorf("%+v, want %q", fail, want)
		}
		cancel()
	}
}

func TestHTTPMethods(t *testing.T) {
	for _, m := range []string{"CONNECT", "trace", "GE T"} {
		_, fail := fetch(t, fmt.Sprintf(`{"url":"http://a.test/","method":%q}`, m), true, []string{"*"}, resolving(nil))
		if fail == nil || fail.Outcome != Refused || !strings.Contains(fail.Line, "method") {
			t.Errorf("%s: %+v", m, fail)
		}
	}
}

func TestRedirectRules(t *testing.T) {
	hop := func(url string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, url, nil)
		r.Header = http.Header{"X-Key": {"k"}, "Authorization": {"a"}, "Cookie": {"c"}, "Accept": {"x"}}
		return r
	}
	g := gate{}
	g.grant.Hosts = []string{"a.test", "b.test"}
	for _, c := range []struct {
		from, to string
		says     string
		headers  int
	}{
		{"https://a.test/", "https://a.test/x", "", 4},
		{"https://a.test/", "https://b.test/x", "", 1},
		{"https://a.test/", "https://a.test:8443/x", "", 1},
		{"http://a.test/", "https://a.test/x", "", 4},
		{"https://a.test/", "http://a.test/x", "from https to http", 4},
		{"https://a.test/", "https://c.test/x", "was not granted", 4},
	} {
		next := hop(c.to)
		err := g.redirect(next, []*http.Request{hop(c.from)})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || len(next.Header) != c.headers {
			t.Errorf("%s to %s: %v, %v", c.from, c.to, err, next.Header)
		}
	}
	// The client copies the first request's headers anew at every hop.
	next := hop("https://b.test/2")
	if err := g.redirect(next, []*http.Request{hop("https://a.test/"), hop("https://b.test/1")}); err != nil || len(next.Header) != 1 {
		t.Errorf("the second hop at another host: %v, %v", err, next.Header)
	}
}

// TestRedirectKeepsKeysHome is the same through the real client: a key for the
// first host is in no request to the second, however often that redirects.
func TestRedirectKeepsKeysHome(t *testing.T) {
	var leaked atomic.Int32
	var second *httptest.Server
	second = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "" || r.Header.Get("Referer") != "" {
			leaked.Add(1)
		}
		if r.URL.Path != "/3" {
			http.Redirect(w, r, second.URL+map[string]string{"/1": "/2", "/2": "/3"}[r.URL.Path], http.StatusFound)
		}
	}))
	defer second.Close()
	first := httptest.NewServer(http.RedirectHandler(second.URL+"/1", http.StatusFound))
	defer first.Close()
	if _, fail := fetch(t, asking(first.URL+"/?key=k3y"), true, []string{"127.0.0.1"}, nil); fail != nil && fail.Outcome != Malformed {
		t.Fatal(fail)
	}
	if leaked.Load() > 0 {
		t.Errorf("the key went to another host %d times", leaked.Load())
	}
}
