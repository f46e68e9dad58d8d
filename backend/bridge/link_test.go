package bridge

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8080/mcp/a":     true,
		"http://127.9.9.9:8080/mcp/a":     true,
		"http://[::1]:8080/mcp":           true,
		"http://localhost:8080/mcp":       true,
		"http://127.0.0.1/mcp":            true,
		"https://127.0.0.1:8080/mcp":      false,
		"http://192.0.2.1:8080/mcp":       false,
		"http://0.0.0.0:8080/mcp":         false,
		"http://example.org/mcp":          false,
		"http://localhost.example.org/":   false,
		"http://127.0.0.1.example.org/":   false,
		"http://u:p@127.0.0.1:8080/mcp":   false,
		"http://127.0.0.1:8080@evil.org/": false,
		"127.0.0.1:8080/mcp":              false,
		"unix:///tmp/socket":              false,
		"":                                false,
		"http://127.0.0.1:8080/\x00":      false,
	} {
		l, err := newLink(address, "", time.Second)
		if (err == nil) != ok || (l != nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
		if err != nil && (!errors.Is(err, ErrURL) || len(address) > 0 && strings.Contains(err.Error(), address)) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A name that resolves to another machine is refused when it is dialled.
func TestOnlyLoopbackIsDialled(t *testing.T) {
	for address, ok := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "192.0.2.1:1": false, "[::]:1": false, "": false} {
		if err := onlyLoopback("tcp", address, nil); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestBearerIsChecked(t *testing.T) {
	for _, bearer := range []string{"a b", "a\nb", "ä", "\x7f"} {
		_, err := newLink("http://127.0.0.1:1/", bearer, time.Second)
		if !errors.Is(err, ErrBearer) || strings.Contains(err.Error(), bearer) {
			t.Errorf("%q: %v", bearer, err)
		}
	}
}

// Another library's reading of the headers is ours.
func TestHeaderValues(t *testing.T) {
	for _, s := range []string{"plain", "", "two words", " lead", "trail\t", "ä", "a\nb", "\x7f", "=?base64?YQ==?=", "=?base64?x", "\u2028", "a\x80b"} {
		v := headerValue(s)
		if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) || strings.TrimSpace(v) != v {
			t.Errorf("%q became %q", s, v)
		}
		if back, ok := mcp.DecodeHeaderValue(v); !ok || back != s {
			t.Errorf("%q became %q, read as %q", s, v, back)
		}
	}
}
