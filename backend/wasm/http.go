package wasm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"kandev/backend/plugin"
)

// Resolve turns a host name into addresses.
type Resolve func(ctx context.Context, host string) ([]netip.Addr, error)

func systemResolve(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// gate is what a plugin may reach. Every hop and every connection goes through
// it: the name when a request or a redirect is made, the address when it is
// dialled. The address that was looked at is the one dialled, so a name that
// resolves differently the second time gains nothing.
type gate struct {
	grant   plugin.Grant
	resolve Resolve
}

// allowed checks the address of one hop.
func (g gate) allowed(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("only http and https addresses can be requested")
	}
	if !plugin.HostAllowed(g.grant.Hosts, u.Hostname()) {
		return fmt.Errorf("the host %q was not granted to this plugin", line(u.Hostname()))
	}
	return nil
}

func (g gate) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, errors.New("not an address")
	}
	if !plugin.HostAllowed(g.grant.Hosts, host) {
		return nil, fmt.Errorf("the host %q was not granted to this plugin", line(host))
	}
	addrs, err := g.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: 10 * time.Second}
	last := fmt.Errorf("the host %q has no address", line(host))
	for _, a := range addrs {
		if !g.grant.PrivateNetwork && !public(a) {
			last = fmt.Errorf("the host %q is in a private network, which was not granted to this plugin", line(host))
			continue
		}
		conn, err := dialer.DialContext(ctx, network, net.JoinHostPort(a.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		last = fmt.Errorf("the host %q cannot be reached", line(host))
	}
	return nil, last
}

func (g gate) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	addrs, err := g.resolve(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("the host %q is not known", line(host))
	}
	return addrs[:min(len(addrs), 8)], nil
}

// redirect is asked before each further hop.
func (g gate) redirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errors.New("too many redirects")
	}
	if err := g.allowed(next.URL); err != nil {
		return fmt.Errorf("a redirect: %w", err)
	}
	before := via[len(via)-1].URL
	if before.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("a redirect from https to http is not followed")
	}
	elsewhere := func(r *http.Request) bool { return r.URL.Host != next.URL.Host }
	if slices.ContainsFunc(via, elsewhere) {
		// They were meant for the first host, and may hold its key. The client
		// copies them anew at every hop, so that the last hop alone says too little.
		for name := range next.Header {
			if name != "Accept" && name != "User-Agent" && name != "Content-Type" {
				next.Header.Del(name)
			}
		}
	}
	return nil
}

// client never uses a proxy: a proxy would resolve and dial on its own.
func (g gate) client() (*http.Client, *http.Transport) {
	transport := &http.Transport{
		DialContext: g.dial, MaxIdleConnsPerHost: instances, IdleConnTimeout: 30 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: maxHTTPHeaders, ForceAttemptHTTP2: true,
	}
	return &http.Client{Transport: transport, CheckRedirect: g.redirect}, transport
}
