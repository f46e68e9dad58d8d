package doctor

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// installWebView names the packages of the web view; the same words are in build/run.sh.
const installWebView = "Install libgtk-3-0 and libwebkit2gtk-4.1-0 (Debian, Ubuntu), gtk3 and webkit2gtk4.1 (Fedora), gtk3 and webkit2gtk-4.1 (Arch)."

// display looks whether a window could open. Only Linux may have none.
func (o Options) display(ctx context.Context) Finding {
	f := Finding{ID: "display", Title: "Display", State: OK, Detail: "This system always has one."}
	if o.goos != "linux" {
		return f
	}
	x, wayland := o.Getenv("DISPLAY"), o.Getenv("WAYLAND_DISPLAY")
	if x == "" && wayland == "" {
		return missing(f, "Neither DISPLAY nor WAYLAND_DISPLAY is set: no window can open.",
			"Start Kandev Desktop from a desktop session, or with `xvfb-run -a kandev-desktop` where there is no screen.")
	}
	if wayland != "" && reachable(ctx, waylandSocket(wayland, o.Getenv("XDG_RUNTIME_DIR"))) {
		f.Detail = "Wayland answers at " + wayland + "."
		return f
	}
	network, local := xSocket(x)
	switch {
	case x != "" && !local:
		f.State, f.Detail = Note, "DISPLAY is "+x+", on another machine; it was not asked."
	case x != "" && (reachable(ctx, network) || reachable(ctx, "@"+network)):
		f.Detail = "X11 answers at " + x + "."
	default:
		return missing(f, "Nobody answers at the display that DISPLAY or WAYLAND_DISPLAY names ("+strings.TrimSpace(x+" "+wayland)+").",
			"Start Kandev Desktop from a desktop session that is still running.")
	}
	return f
}

// xSocket is where the X server of a DISPLAY such as :0 or :1.0 listens; local is false for host:0.
func xSocket(display string) (path string, local bool) {
	host, number, found := strings.Cut(display, ":")
	number, _, _ = strings.Cut(number, ".")
	return "/tmp/.X11-unix/X" + number, found && (host == "" || host == "unix")
}

func waylandSocket(name, runtimeDir string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(runtimeDir, name)
}

// reachable connects and says nothing. A name with @ is one without a file.
func reachable(ctx context.Context, socket string) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// webView looks for what draws the window. On Linux this program is linked with it, so that it runs at all says that
// the library is there; its helpers are programs of their own, which a broken installation may lack.
func (o Options) webView() Finding {
	f := Finding{ID: "web_view", Title: "Web view", State: OK, Detail: "It is a part of this system."}
	switch o.goos {
	case "windows":
		version := webView2Version()
		if version == "" {
			return missing(f, "Microsoft's WebView2 is not installed; it draws the window.",
				"Start the installer of Kandev Desktop again while connected to the internet, or install WebView2 from Microsoft.")
		}
		f.Detail = "Microsoft's WebView2 " + version + "."
	case "linux":
		library := o.loaded("libwebkit2gtk-4.1.so")
		if library == "" {
			return missing(f, "This build of the program has no window: it is not linked with WebKitGTK.", "Install a package of Kandev Desktop, or build it with `make build`. "+installWebView)
		}
		if helper := helperOf(library); helper == "" {
			f.State, f.Fix = Note, "If the window stays empty, install the package of the web view again. "+installWebView
			f.Detail = library + "; its helper WebKitWebProcess was not found in the usual places."
		} else {
			f.Detail = library + "."
		}
	}
	return f
}

// loaded is the file of a library that this process has loaded, "" when it has not.
func (o Options) loaded(name string) string {
	text, err := os.ReadFile(o.maps)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if at := strings.IndexByte(line, '/'); at >= 0 && strings.HasPrefix(filepath.Base(line[at:]), name) {
			return strings.TrimSpace(line[at:])
		}
	}
	return ""
}

// helperOf finds the program that WebKitGTK starts for each page; where it is differs between distributions.
func helperOf(library string) string {
	for _, dir := range []string{filepath.Dir(library), "/usr/libexec", "/usr/lib"} {
		path := filepath.Join(dir, "webkit2gtk-4.1", "WebKitWebProcess")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

func missing(f Finding, detail, fix string) Finding {
	f.State, f.Detail, f.Fix = Missing, detail, fix
	return f
}
