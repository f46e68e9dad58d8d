package task

import (
	"errors"
	"strings"
	"testing"
)

func TestCleanTitle(t *testing.T) {
	long := strings.Repeat("é", MaxTitle)
	for _, c := range []struct{ given, want string }{
		{"  One \t\n title ", "One title"},
		{"x", "x"},
		{long, long},
		{long + "é", ""},
		{"", ""},
		{" \n ", ""},
		{"a\xffb", "a\ufffdb"},
	} {
		got, err := CleanTitle(c.given)
		if got != c.want || (c.want == "") != errors.Is(err, ErrTitle) {
			t.Errorf("%.20q: %.20q (%v)", c.given, got, err)
		}
	}
}
