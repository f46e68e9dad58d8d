package project

import "testing"

func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ada/src/ledger":     "ledger",
		"/home/ada/Ünï côde/":      "Ünï côde",
		`C:\Users\Анна Б\ledger`:   "ledger",
		`C:\Users\Анна Б\ledger\\`: "ledger",
		"ledger":                   "ledger",
		"/":                        "/",
	} {
		if got := NameOf(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
