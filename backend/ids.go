package backend

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// newID makes a random id: a prefix that says of what, and 80 bits. An id is
// never reused and says nothing about order.
func newID(prefix string) string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return prefix + "_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
