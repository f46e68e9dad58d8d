package app

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// errURL is the answer to a link that is not opened.
var errURL = errors.New("only http and https links are opened")

// maxURL is the longest link that is opened, in bytes: what Windows' handler takes.
const maxURL = 2048

// opener opens links in the person's browser. Wails' own opener lets smb: and vscode: links
// through and refuses ordinary ones with brackets in them.
type opener struct {
	// Env is the environment for the browser: the one that the app was started with.
	Env []string

	running sync.WaitGroup
}

// open starts the person's browser on an http or https link. It does not wait for it, and what
// the browser does with it is not known.
func (o *opener) open(raw string) error {
	link, err := allowedURL(raw)
	if err != nil {
		return err
	}
	name, args := openCommand(runtime.GOOS, link)
	cmd := exec.Command(name, args...)
	cmd.Env = o.Env
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open the link with %s: %w", name, err)
	}
	o.running.Go(func() { _ = cmd.Wait() }) // its exit code says nothing reliable on any system
	return nil
}

// close waits up to grace for the started helpers. A browser that runs in the helper itself is
// the person's and stays.
func (o *opener) close(grace time.Duration) {
	done := make(chan struct{})
	go func() { o.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(grace):
	}
}

// allowedURL answers the link in the one form in which it is handed on, or errURL. No user and
// password (they hide the host that is really opened), no control characters, spaces or
// backslashes, which systems read differently.
func allowedURL(raw string) (string, error) {
	if len(raw) > maxURL || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return "", errURL
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" || u.User != nil {
		return "", errURL
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", errURL
	}
	link := u.String()
	if len(link) > maxURL {
		return "", errURL
	}
	return link, nil
}

// openCommand is the system's own opener; the link is one argument and no shell sees it.
func openCommand(goos, link string) (name string, args []string) {
	switch goos {
	case "darwin":
		return "open", []string{link}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", link}
	}
	return "xdg-open", []string{link}
}
