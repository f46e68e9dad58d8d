package app

import "testing"

func TestNativeText(t *testing.T) {
	cases := []struct{ goos, text, want string }{
		{"linux", "50% done %s %d %n", "50%% done %%s %%d %%n"},
		{"linux", "%%", "%%%%"},
		{"linux", "Quit and stop 3 agents?", "Quit and stop 3 agents?"},
		{"darwin", "50% %n", "50% %n"},
		{"windows", "50% %n", "50% %n"},
		{"linux", "cut\x00here", "cuthere"},
	}
	for _, c := range cases {
		if got := nativeText(c.goos, c.text); got != c.want {
			t.Errorf("nativeText(%s, %q) = %q, want %q", c.goos, c.text, got, c.want)
		}
	}
}
