package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"kandev/backend"
)

// Run opens the window and returns the process's exit code. icon is a PNG for
// the window on Linux. What a person has to know when there is no window goes
// to stderr as one sentence.
func Run(assets embed.FS, icon []byte, version string) int {
	w := newWindow(version, icon)
	if !bindingsBuild {
		if code, done := w.prepare(); done {
			return code
		}
		defer w.close()
	}
	if err := runShell(func() error { return wails.Run(w.options(assets)) }); err != nil {
		fmt.Fprintln(os.Stderr, "kandev-desktop: "+err.Error())
		return 1
	}
	return 0
}

// prepare does everything that must come before the shell: display, data
// folder and its lock, environment of the web view.
func (w *window) prepare() (code int, done bool) {
	if err := checkDisplay(runtime.GOOS, os.Getenv); err != nil {
		return say(err)
	}
	environ := os.Environ() // as the person started us, before the web view's additions
	home, err := backend.DataFolder(os.Getenv)
	if err != nil {
		return say(err)
	}
	self, err := os.Executable()
	if err != nil {
		return say(fmt.Errorf("find this program's own file: %w", err))
	}
	b, err := backend.Open(context.Background(), backend.Options{
		Home: home, Version: w.version, Self: []string{self}, Environ: environ, Send: w.emit,
		Keychain: os.Getenv("KANDEV_KEYCHAIN") != "off",
		// How the window looks without a tokenizer cannot be seen otherwise: its vocabulary is embedded.
		Killed:   devBuild && os.Getenv("KANDEV_E2E_BLANK") != "1", // make dev, and no test
		NoTokens: devBuild && os.Getenv("KANDEV_E2E_NO_TOKENS") == "1",
	})
	if held, ok := errors.AsType[*backend.HeldError](err); ok {
		if askFocus(home, focusLimit) == nil {
			if other := otherVersion(home, w.version); other != "" {
				fmt.Fprintln(os.Stderr, "kandev-desktop: "+other)
			}
			return 0, true // the first window came to the front
		}
		return say(fmt.Errorf("%w It does not answer; end it, then start again", held))
	}
	if err != nil {
		return say(err)
	}
	if err := catchPanic(b.PanicFile()); err != nil {
		b.Log().Info("what the runtime says at a crash is not kept", "err", err)
	}
	w.backend, w.door = b, door{token: newSessionToken(), log: b.Log()}
	w.opener.Env = environ
	w.focus = listenFocus(home, w.version, w.raise, b.Log())
	if _, err := applyWebEnv(); err != nil {
		b.Log().Warn("environment of the web view", "err", err)
	}
	w.watchSignals()
	return 0, false
}

func say(err error) (int, bool) {
	fmt.Fprintln(os.Stderr, "kandev-desktop: "+err.Error())
	return 1, true
}

// options are the window's. The data folder's lock, not Wails', keeps a second
// app out: that one comes too late on Linux.
func (w *window) options(assets embed.FS) *options.App {
	dist, err := fs.Sub(assets, "frontend/dist")
	if err != nil { // the path is a constant and embedded
		dist = assets
	}
	page := devPageOptions(w.door.token, os.Getenv)
	return &options.App{
		Title: "Kandev Desktop", Width: 1280, Height: 860, MinWidth: 480, MinHeight: 320,
		AssetServer:              &assetserver.Options{Assets: dist, Middleware: middleware(page)},
		BackgroundColour:         &options.RGBA{R: 253, G: 253, B: 254, A: 255},
		OnStartup:                w.started,
		OnDomReady:               func(context.Context) {},
		OnBeforeClose:            w.beforeClose,
		OnShutdown:               func(context.Context) { w.shellEnded() },
		Bind:                     []any{&API{w: w}},
		EnableDefaultContextMenu: false,
		DragAndDrop:              &options.DragAndDrop{EnableFileDrop: true},
		// The constants of the other policies are swapped in v2.16.0; Never is right.
		Linux:  &linux.Options{ProgramName: "kandev-desktop", Icon: w.icon, WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		Logger: quietLogger{w},
	}
}

// close ends what prepare began, in reverse order.
func (w *window) close() {
	if w.focus != nil {
		w.focus.close()
	}
	w.opener.close(time.Second)
	if err := w.backend.Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "kandev-desktop: not everything was saved: "+err.Error())
	}
}

// logOf is the log to use before and after the backend is there.
func (w *window) logOf() *slog.Logger {
	if w.backend == nil {
		return slog.New(slog.DiscardHandler)
	}
	return w.backend.Log()
}
