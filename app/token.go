package app

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
)

// tokenPath is where our own page fetches the session token.
const tokenPath = "/kandev/token"

// pageHeader must be on the request for the token. A foreign page can load our addresses as an
// image or script and post forms at them, but it cannot add a header without a preflight, which
// is refused like every other method.
const pageHeader = "X-Kandev-Page"

// errToken is the answer to a bound call without the right session token.
var errToken = errors.New("this page may not call the app: reload the window")

// sessionToken is the secret of one run of the app, which every bound method demands: the bridge
// of the web view itself cannot tell our page from a frame in it. It is never logged or stored.
type sessionToken struct{ hex string }

// newSessionToken draws 32 random bytes, written as 64 hexadecimal digits.
func newSessionToken() sessionToken {
	var raw [32]byte
	rand.Read(raw[:]) // never fails: it ends the process instead
	return sessionToken{hex.EncodeToString(raw[:])}
}

// check answers errToken unless given is this run's token, in constant time. The zero token
// accepts nothing, not even an empty string.
func (t sessionToken) check(given string) error {
	if t.hex == "" || subtle.ConstantTimeCompare([]byte(t.hex), []byte(given)) != 1 {
		return errToken
	}
	return nil
}

// serve answers the request for the token: to our own page only, never cached, and as a JSON
// object, which is a syntax error where somebody includes it as a script.
func (t sessionToken) serve(w http.ResponseWriter, r *http.Request) {
	if status := tokenStatus(r); status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	w.Write([]byte(`{"token":"` + t.hex + `"}`))
}

// tokenStatus decides who gets the token. Origin and Referer are absent on an ordinary same-origin
// GET of some web views; where present they must be ours, and so must what the engine says itself.
func tokenStatus(r *http.Request) int {
	if r.Method != http.MethodGet {
		return http.StatusMethodNotAllowed
	}
	if r.Header.Get(pageHeader) == "" {
		return http.StatusForbidden
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return http.StatusForbidden
	}
	for _, name := range []string{"Origin", "Referer"} {
		for _, value := range r.Header.Values(name) {
			if !ownPage(value, devBuild) {
				return http.StatusForbidden
			}
		}
	}
	return http.StatusOK
}
