//go:build linux && cgo && production

package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	wailsrun "github.com/wailsapp/wails/v2/pkg/runtime"
)

// foreignEnv tells the child process to be a window, and where the foreign site is; dialogEnv
// tells it to show a dialog with that text.
const (
	foreignEnv = "KANDEV_TEST_FOREIGN"
	dialogEnv  = "KANDEV_TEST_DIALOG"
)

// TestMain is the window itself in the child process: GTK needs the main thread.
func TestMain(m *testing.M) {
	if foreign := os.Getenv(foreignEnv); foreign != "" {
		openWalls(foreign)
		return
	}
	if text := os.Getenv(dialogEnv); text != "" {
		openDialog(text)
		return
	}
	os.Exit(m.Run())
}

// wallsAPI is what the page of testdata/walls calls.
type wallsAPI struct {
	door    door
	foreign string
	ctx     context.Context
}

func (a *wallsAPI) Report(token, what, result string) error {
	_, err := enter(a.door, token, "Report", func() (struct{}, error) {
		fmt.Printf("wall: %s: %s\n", what, result) // the parent reads it
		return struct{}{}, nil
	})
	return err
}

func (a *wallsAPI) Explode(token string) error {
	_, err := enter(a.door, token, "Explode", func() (string, error) { var nothing *string; return *nothing, nil })
	return err
}

func (a *wallsAPI) Foreign(token string) (string, error) {
	return enter(a.door, token, "Foreign", func() (string, error) { return a.foreign, nil })
}

func (a *wallsAPI) Done(token string) error {
	_, err := enter(a.door, token, "Done", func() (struct{}, error) { wailsrun.Quit(a.ctx); return struct{}{}, nil })
	return err
}

// openWalls opens a window with all the walls on the page that tries to get through them.
func openWalls(foreign string) {
	if _, err := applyWebEnv(); err != nil {
		panic(err)
	}
	api := &wallsAPI{door: door{newSessionToken(), slog.New(slog.DiscardHandler)}, foreign: foreign}
	err := runShell(func() error {
		return wails.Run(&options.App{
			Title: "walls", Width: 640, Height: 400,
			Bind: []any{api},
			AssetServer: &assetserver.Options{
				Assets:     os.DirFS("testdata/walls"),
				Middleware: middleware(pageOptions{Token: api.door.token}),
			},
			OnStartup: func(ctx context.Context) { api.ctx = ctx; installNavigationGuard(func() bool { return true }) },
		})
	})
	if err != nil {
		panic(err)
	}
}

// openDialog shows a native question and says so as soon as the display has it.
func openDialog(text string) {
	const title = "kandev test dialog"
	err := wails.Run(&options.App{
		Title: "dialog", Width: 640, Height: 400,
		AssetServer: &assetserver.Options{Assets: fstest.MapFS{"index.html": {Data: []byte(blankPage)}}},
		// Not OnStartup: a dialog before the window is there keeps it from ever coming.
		OnDomReady: func(ctx context.Context) {
			go new(dialogs).confirm(ctx, title, text)
			go waitForDialog(title)
		},
	})
	panic(err)
}

// waitForDialog ends the process as soon as the display has a window of that title.
func waitForDialog(title string) {
	// --sync waits until the window is there; the parent limits the whole run.
	if out, err := exec.Command("xdotool", "search", "--sync", "--name", title).CombinedOutput(); err != nil {
		fmt.Printf("no dialog: %v %s\n", err, out)
	} else {
		fmt.Println("wall: the dialog is open")
	}
	os.Exit(0)
}

// A text with printf verbs in a native dialog: unescaped, GTK's format aborts the process.
func TestWindowDialog(t *testing.T) {
	if err := checkDisplay("linux", os.Getenv); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("xdotool"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), dialogEnv+"=50% done %s %d %n %n %n")
	child.WaitDelay = 5 * time.Second
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "wall: the dialog is open") {
		t.Errorf("the dialog ended with %v:\n%s", err, out)
	}
}

// The walls in a real web view: token, policy, navigation guard, frames, and a nil dereference
// that is recovered although the web view has handlers for its signal.
func TestWindowWalls(t *testing.T) {
	if err := checkDisplay("linux", os.Getenv); err != nil {
		t.Skip(err)
	}
	var visits atomic.Int32
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer foreign.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), foreignEnv+"="+foreign.URL)
	child.WaitDelay = 5 * time.Second
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("the window ended with %v:\n%s", err, out)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		if line, ok := strings.CutPrefix(strings.TrimSpace(line), "wall: "); ok {
			got = append(got, line)
		}
	}
	want := []string{
		"token digits: 64",
		"token without header: 403",
		"token by post: 405",
		"call without token: " + forPage(errToken).Error(),
		"nil dereference: " + forPage(errPanic).Error(),
		"eval: blocked",
		"inline script: undefined",
		"bridge in a blank frame: undefined",
		"still at: wails://wails/",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the page reports\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the window reached the foreign site %d times", n)
	}
}
