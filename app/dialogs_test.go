package app

import (
	"context"
	"errors"
	"testing"
)

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

// TestDialogWithoutAShell: a dialog before the shell is up is an error. Wails
// itself would end the process.
func TestDialogWithoutAShell(t *testing.T) {
	var d dialogs
	var none context.Context // what window.shell answers when it waited in vain
	_, chosen := d.chooseFolder(none, "t", "")
	_, saved := d.saveFile(none, "t", "n")
	_, confirmed := d.confirm(none, "t", "really?")
	for _, err := range []error{chosen, saved, confirmed, d.tell(none, "t", "m")} {
		if !errors.Is(err, errNoShell) {
			t.Errorf("%v", err)
		}
	}
}
