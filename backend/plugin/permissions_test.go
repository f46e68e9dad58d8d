package plugin

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestHostAllowed(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		allowed       bool
	}{
		{"example.com", "example.com", true},
		{"example.com", "EXAMPLE.com.", true},
		{"example.com", "api.example.com", false},
		{"example.com", "example.com.evil.test", false},
		{"example.com", "notexample.com", false},
		{"*.example.com", "api.example.com", true},
		{"*.example.com", "a.b.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", "notexample.com", false},
		{"*.example.com", "*.example.com", false},
		{"*", "example.com", true},
		{"*", "127.0.0.1", true},
		{"*", "", false},
		{"*", "a b", false},
		{"*", "127.1", false},
		{"*", "0x7f000001", false},
		{"*", "2130706433", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "::ffff:127.0.0.1", true},
		{"127.0.0.1", "127.1", false},
		{"[::1]", "::1", true},
		{"::1", "0:0:0:0:0:0:0:1", true},
		{"::1", "fe80::1%eth0", false},
		{"http://example.com", "example.com", false},
		{"example.com:443", "example.com", false},
		{"", "example.com", false},
	} {
		if got := HostAllowed([]string{c.pattern}, c.host); got != c.allowed {
			t.Errorf("%q for %q: got %v", c.pattern, c.host, got)
		}
	}
}

func TestBeyond(t *testing.T) {
	granted := Grant{Hosts: []string{"*.acme.test", "api.example.com"}, MemoryMB: 64, TimeoutMS: 30_000}
	base := Request{MemoryMB: 64, TimeoutMS: 30_000}
	with := func(change func(*Request)) Request { r := base; change(&r); return r }
	for name, c := range map[string]struct {
		asks Request
		want Asks
	}{
		"the same":        {with(func(r *Request) { r.Hosts = granted.Hosts }), Asks{}},
		"less":            {with(func(r *Request) { r.MemoryMB = 1 }), Asks{}},
		"below wildcard":  {with(func(r *Request) { r.Hosts = []string{"x.acme.test", "*.x.acme.test"} }), Asks{}},
		"apex":            {with(func(r *Request) { r.Hosts = []string{"acme.test"} }), Asks{Hosts: []string{"acme.test"}}},
		"wildcard grows":  {with(func(r *Request) { r.Hosts = []string{"*.example.com"} }), Asks{Hosts: []string{"*.example.com"}}},
		"any site":        {with(func(r *Request) { r.Hosts = []string{"*"} }), Asks{Hosts: []string{"*"}}},
		"private network": {with(func(r *Request) { r.PrivateNetwork = true }), Asks{PrivateNetwork: true}},
		"memory":          {with(func(r *Request) { r.MemoryMB = 65 }), Asks{MemoryMB: 65}},
		"time":            {with(func(r *Request) { r.TimeoutMS = 31_000 }), Asks{TimeoutMS: 31_000}},
	} {
		if got := c.asks.Beyond(granted); !reflect.DeepEqual(got, c.want) || got.Nothing() != (name == "the same" || name == "less" || name == "below wildcard") {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	if got := (Request{Hosts: []string{"a.test", "*.b.test"}}).Beyond(Grant{Hosts: []string{"*"}}); !got.Nothing() {
		t.Errorf("any site does not cover %+v", got)
	}
}

func TestGrantSound(t *testing.T) {
	got := Grant{Hosts: []string{"B.test", "a.test", "b.test.", "no host"}, MemoryMB: 1 << 20, TimeoutMS: 1}.Sound()
	want := Grant{Hosts: []string{"a.test", "b.test"}, MemoryMB: MaxMemoryMB, TimeoutMS: MinTimeoutMS}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := (Grant{}).Sound(); got.MemoryMB != DefaultMemoryMB || got.TimeoutMS != DefaultTimeoutMS {
		t.Errorf("an empty grant is %+v", got)
	}
}

func TestGrantCheck(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		part  string // of the refusal; "" = none
	}{
		{nil, ""},
		{[]string{"A.example", "*.b.example", "*", "127.0.0.1"}, ""},
		{[]string{"a.example", "https://b.example/"}, `"https://b.example/"`},
		{slices.Repeat([]string{"a.example"}, 2*MaxHosts+1), "at most"},
	} {
		err := Grant{Hosts: c.hosts}.Check()
		if (err != nil) != (c.part != "") || err != nil && !strings.Contains(err.Error(), c.part) {
			t.Errorf("%.80q: %v", c.hosts, err)
		}
	}
}
