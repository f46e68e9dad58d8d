package app

import (
	"net"
	"net/url"
)

// ownPage reports whether a URL belongs to our own page. It is the one rule for both questions
// that depend on it: may the window go there, and may this page have the session token.
//
// Wails serves the page as wails://wails/ on Linux and macOS and as http://wails.localhost/ on
// Windows. In a dev build it is also wails://wails.localhost:PORT/ and any loopback HTTP address.
// Everything else is foreign: other hosts and schemes, about:blank, data:, blob:, javascript:.
func ownPage(raw string, dev bool) bool {
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.Opaque != "" {
		return false
	}
	switch u.Scheme + "://" + u.Host {
	case "wails://wails", "http://wails.localhost":
		return true
	}
	return dev && devOrigin(u)
}

// devOrigin is what `wails dev` and the end-to-end tests add.
func devOrigin(u *url.URL) bool {
	host := u.Hostname()
	switch u.Scheme {
	case "wails":
		return host == "wails.localhost"
	case "http":
		return host == "localhost" || net.ParseIP(host).IsLoopback()
	}
	return false
}
