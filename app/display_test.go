package app

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckDisplay(t *testing.T) {
	cases := []struct {
		goos, name string
		want       error
	}{
		{"linux", "", errNoDisplay},
		{"linux", "DISPLAY", nil},
		{"linux", "WAYLAND_DISPLAY", nil},
		{"darwin", "", nil},
		{"windows", "", nil},
	}
	for _, c := range cases {
		getenv := func(name string) string {
			if name == c.name {
				return ":0"
			}
			return ""
		}
		if got := checkDisplay(c.goos, getenv); !errors.Is(got, c.want) {
			t.Errorf("checkDisplay(%s, only %q set) = %v, want %v", c.goos, c.name, got, c.want)
		}
	}
	if !strings.HasPrefix(errNoDisplay.Error(), "no display: ") {
		t.Errorf("the sentence begins %q", errNoDisplay)
	}
}

func TestRunShell(t *testing.T) {
	if err := runShell(func() error { panic(gtkPanic) }); !errors.Is(err, errDeadDisplay) {
		t.Errorf("GTK's panic became %v, want errDeadDisplay", err)
	}
	want := errors.New("port taken")
	if err := runShell(func() error { return want }); !errors.Is(err, want) {
		t.Errorf("runShell = %v, want %v", err, want)
	}
	defer func() {
		if p := recover(); p != "another" {
			t.Errorf("another panic arrived as %v", p)
		}
	}()
	_ = runShell(func() error { panic("another") })
}
