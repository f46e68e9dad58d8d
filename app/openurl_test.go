package app

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAllowedURL(t *testing.T) {
	allowed := map[string]string{
		"https://example.com":                         "https://example.com",
		"http://example.com/a?b=c#d":                  "http://example.com/a?b=c#d",
		"HTTPS://example.com/":                        "https://example.com/",
		"https://en.wikipedia.org/wiki/Foo_(bar)":     "https://en.wikipedia.org/wiki/Foo_(bar)",
		"https://example.com/$HOME;`id`|x&y={a}[0]!*": "https://example.com/$HOME;%60id%60%7Cx&y=%7Ba%7D%5B0%5D%21%2A",
		"http://127.0.0.1:8080/":                      "http://127.0.0.1:8080/",
		"https://example.com/ä":                       "https://example.com/%C3%A4",
	}
	for raw, want := range allowed {
		got, err := allowedURL(raw)
		if err != nil || got != want {
			t.Errorf("allowedURL(%q) = %q, %v, want %q", raw, got, err, want)
		}
	}
	refused := []string{
		"", "example.com", "//example.com/", "https:", "https://", "https:///x", "http:example.com",
		"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://example.com/",
		"smb://host/share", "vscode://file/etc", "mailto:a@example.com", "ms-settings:", "-a Calculator",
		"https://user:secret@example.com/", "https://example.com@evil.example/", "https://:80/",
		"https://example.com/a b", "https://example.com/\n", "\thttps://example.com", "https://example.com\\@evil.example",
		"https://example.com/\x00", "https://exa mple.com/", "https://[::1", "https://example.com/%zz",
		"https://example.com/" + strings.Repeat("a", maxURL), "https://example.com/" + strings.Repeat("ä", 900),
	}
	for _, raw := range refused {
		if got, err := allowedURL(raw); !errors.Is(err, errURL) {
			t.Errorf("allowedURL(%.60q) = %q, %v, want errURL", raw, got, err)
		}
	}
}

func TestOpenCommand(t *testing.T) {
	const link = "https://example.com/;id"
	for goos, want := range map[string][]string{
		"linux":   {"xdg-open", link},
		"darwin":  {"open", link},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", link},
	} {
		name, args := openCommand(goos, link)
		if got := append([]string{name}, args...); !slices.Equal(got, want) {
			t.Errorf("openCommand(%s) = %q, want %q", goos, got, want)
		}
	}
}

// The helper is started for real, with the environment that it was given and the link as one argument.
func TestOpenStartsTheHelper(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the helper is replaced through PATH with a script")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	script := "#!/bin/sh\nprintf '%s|%s|%s' \"$#\" \"$1\" \"$JSC_usePollingTraps\" > \"$OUT\"\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("JSC_usePollingTraps", "1")
	o := &opener{Env: []string{"OUT=" + out, "PATH=" + os.Getenv("PATH")}}
	if err := o.open("https://example.com/$(id);x"); err != nil {
		t.Fatal(err)
	}
	o.close(10 * time.Second)
	got, err := os.ReadFile(out)
	if want := "1|https://example.com/$(id);x|"; err != nil || string(got) != want {
		t.Errorf("the helper saw %q (%v), want %q", got, err, want)
	}
	if err := o.open("file:///etc/passwd"); !errors.Is(err, errURL) {
		t.Errorf("open = %v, want errURL", err)
	}
}

func TestFolderCommand(t *testing.T) {
	for goos, want := range map[string]string{
		"linux":   "xdg-open /a b/x.app",
		"darwin":  "open -a Finder /a b/x.app",
		"windows": "explorer /a b/x.app",
	} {
		name, args := folderCommand(goos, "/a b/x.app")
		if got := strings.Join(append([]string{name}, args...), " "); got != want || args[len(args)-1] != "/a b/x.app" {
			t.Errorf("%s: %q", goos, got)
		}
	}
}

// TestShowFolder: the file manager gets the folder as one argument, with the
// environment the app was started with; what is no folder is not opened.
func TestShowFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("xdg-open is Linux")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nprintf '%s|%s' \"$#\" \"$1\" > '"+out+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	w := &window{opener: opener{Env: []string{"PATH=" + dir}}}
	folder := filepath.Join(dir, "Ünï côde; dir")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := w.showFolder(folder); err != nil {
		t.Fatal(err)
	}
	w.opener.close(5 * time.Second)
	if got, err := os.ReadFile(out); err != nil || string(got) != "1|"+folder {
		t.Errorf("%q, %v", got, err)
	}
	for _, path := range []string{out, filepath.Join(dir, "none"), "relative", "", "-h"} {
		if err := w.showFolder(path); !errors.Is(err, errNoFolder) {
			t.Errorf("%q: %v", path, err)
		}
	}
}
