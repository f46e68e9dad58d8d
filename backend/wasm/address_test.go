package wasm

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"1.1.1.1": true, "2606:4700::1111": true, "::ffff:1.1.1.1": true, "64:ff9b::101:101": true, "2002:101:101::1": true,
		"127.0.0.1": false, "127.9.9.9": false, "::1": false, "::ffff:127.0.0.1": false, "::127.0.0.1": false,
		"10.0.0.1": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "fe80::1": false, "fc00::1": false,
		"0.0.0.0": false, "0.1.2.3": false, "::": false, "100.64.0.1": false, "192.0.0.1": false, "198.18.0.1": false,
		"224.0.0.1": false, "ff02::1": false, "255.255.255.255": false, "240.0.0.1": false, "2001:db8::1": false, "fec0::1": false,
		"::ffff:0:7f00:1": false, "::ffff:0:a00:1": false, "4000::1": false, "3fff::1": false, "5f00::1": false, "2001:0:7f00:1::1": false,
		"192.88.99.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "2002:7f00:1::1": false, "fe80::1%eth0": false, "1.1.1.1%x": false,
	} {
		a, err := netip.ParseAddr(address)
		if err == nil && public(a) != want {
			t.Errorf("%s: got %v", address, public(a))
		}
	}
	if public(netip.Addr{}) {
		t.Error("no address at all")
	}
}
