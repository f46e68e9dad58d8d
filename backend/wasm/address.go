package wasm

import (
	"net/netip"
	"slices"
)

// special are the ranges beyond what netip tells that are not the public
// internet (IANA special-purpose registries).
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("3fff::/20"),
}

var (
	global = netip.MustParsePrefix("2000::/3") // all that is given out of IPv6
	nat64  = netip.MustParsePrefix("64:ff9b::/96")
	sixTo4 = netip.MustParsePrefix("2002::/16")
	compat = netip.MustParsePrefix("::/96")
)

// public reports whether an address is one of the open internet. An IPv4 address
// inside an IPv6 one counts as what it is.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	b := a.As16()
	switch {
	case a.Is6() && (nat64.Contains(a) || compat.Contains(a)):
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	case a.Is6() && sixTo4.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	case a.Is6() && !global.Contains(a):
		return false
	}
	return a.IsGlobalUnicast() && !a.IsPrivate() && !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}
