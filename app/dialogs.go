package app

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"

	wails "github.com/wailsapp/wails/v2/pkg/runtime"
)

// errNoShell is the answer while the shell is not up, or never comes: Wails ends the process when
// it is asked for a dialog then.
var errNoShell = errors.New("the window is not ready for a dialog; try again")

// dialogs shows native dialogs one at a time: on Linux Wails delivers every dialog's answer over
// one channel, so two open at once could swap theirs. It is safe for concurrent use.
type dialogs struct{ one sync.Mutex }

// tell shows a message with one button and returns when it is closed.
func (d *dialogs) tell(ctx context.Context, title, message string) error {
	if ctx == nil {
		return errNoShell
	}
	d.one.Lock()
	defer d.one.Unlock()
	_, err := wails.MessageDialog(ctx, wails.MessageDialogOptions{
		Type:    wails.InfoDialog,
		Title:   title,
		Message: nativeText(runtime.GOOS, message),
	})
	return err
}

// confirm asks a yes-or-no question; closing the dialog is a no. Buttons have the system's words
// on Linux, so the question itself must make clear what yes does. ctx is the one that Wails handed
// to OnStartup; Wails gives no way to withdraw a dialog.
func (d *dialogs) confirm(ctx context.Context, title, question string) (bool, error) {
	if ctx == nil {
		return false, errNoShell
	}
	d.one.Lock()
	defer d.one.Unlock()
	answer, err := wails.MessageDialog(ctx, wails.MessageDialogOptions{
		Type:          wails.QuestionDialog,
		Title:         title,
		Message:       nativeText(runtime.GOOS, question),
		Buttons:       []string{"Yes", "No"},
		DefaultButton: "No",
		CancelButton:  "No",
	})
	return answer == "Yes", err
}

// chooseFolder lets the person choose a folder and answers its absolute path, or "" when they
// cancel. A start that is no folder any more is left out: Wails would refuse to open the dialog.
func (d *dialogs) chooseFolder(ctx context.Context, title, start string) (string, error) {
	if ctx == nil {
		return "", errNoShell
	}
	d.one.Lock()
	defer d.one.Unlock()
	if info, err := os.Stat(start); err != nil || !info.IsDir() {
		start = ""
	}
	return wails.OpenDirectoryDialog(ctx, wails.OpenDialogOptions{
		Title:                title,
		DefaultDirectory:     start,
		CanCreateDirectories: true,
	})
}

// saveFile lets the person choose where to save and answers the path, or ""
// when they cancel.
func (d *dialogs) saveFile(ctx context.Context, title, name string) (string, error) {
	if ctx == nil {
		return "", errNoShell
	}
	d.one.Lock()
	defer d.one.Unlock()
	return wails.SaveFileDialog(ctx, wails.SaveDialogOptions{Title: title, DefaultFilename: name, CanCreateDirectories: true})
}

// choosePlugin lets the person choose a plugin's file and answers its path, or "" when they cancel.
func (d *dialogs) choosePlugin(ctx context.Context) (string, error) {
	if ctx == nil {
		return "", errNoShell
	}
	d.one.Lock()
	defer d.one.Unlock()
	return wails.OpenFileDialog(ctx, wails.OpenDialogOptions{
		Title:   "Choose a plugin",
		Filters: []wails.FileFilter{{DisplayName: "Plugins (*.zip, *.wasm)", Pattern: "*.zip;*.wasm"}},
	})
}

// nativeText makes a message (not a title) safe for a message dialog. On Linux Wails passes it to GTK as a printf
// format: an unescaped '%n' in it aborts the process. A NUL would end the text early.
func nativeText(goos, text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if goos == "linux" {
		text = strings.ReplaceAll(text, "%", "%%")
	}
	return text
}
