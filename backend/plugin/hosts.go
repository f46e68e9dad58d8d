package plugin

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// AnyHost is the pattern of every host; the window shows it as "any site".
const AnyHost = "*"

// HostPattern returns a host pattern in its one spelling: an exact host name or
// address, "*.example.com" for every name below example.com (not itself), or
// "*". A name is lower-case ASCII (a foreign one in its xn-- form, so that no
// look-alike letter hides in it), without scheme, port, path or final dot.
func HostPattern(s string) (string, error) {
	if s == AnyHost {
		return s, nil
	}
	name := strings.TrimSuffix(strings.ToLower(s), ".")
	base, wild := strings.CutPrefix(name, "*.")
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil && !wild {
		if addr.Zone() != "" {
			return "", fmt.Errorf("host %.80q: an address with a zone is not allowed", s)
		}
		return addr.Unmap().String(), nil
	}
	if err := hostName(base); err != nil {
		return "", fmt.Errorf("host %.80q: %w", s, err)
	}
	if wild && !strings.Contains(base, ".") {
		return "", fmt.Errorf("host %.80q: a wildcard needs two names behind it, or is * alone", s)
	}
	return name, nil
}

func hostName(s string) error {
	if s == "" || len(s) > 253 {
		return errors.New("has to have 1 to 253 characters")
	}
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return errors.New("is not a host name")
		}
		for _, r := range label {
			if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
				return errors.New("may hold a to z, 0 to 9, hyphen and dot; * only in front")
			}
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return errors.New("is a number, but not an address") // 127.1 and 0x7f.1 are read as 127.0.0.1
	}
	return nil
}

// HostAllowed reports whether one of the patterns covers the host of an
// address, as url.Hostname gives it. Both sides are brought into one spelling;
// what has none is not covered, not even by "*".
func HostAllowed(patterns []string, host string) bool {
	name, err := HostPattern(host)
	if err != nil || strings.HasPrefix(name, "*") {
		return false
	}
	return coveredBy(patterns, name)
}

// coveredBy tells whether everything that want matches, one of have matches.
func coveredBy(have []string, want string) bool {
	for _, h := range have {
		h, err := HostPattern(h)
		if err != nil {
			continue
		}
		base, wild := strings.CutPrefix(h, "*.")
		if h == AnyHost || h == want || wild && strings.HasSuffix(want, "."+base) && !isAddress(want) {
			return true
		}
	}
	return false
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
