package app

import (
	"net/http"
	"strings"
)

// pageOptions is what the asset handler needs to know about this run.
type pageOptions struct {
	Token sessionToken
	// Dev is devBuild, but for tests.
	Dev bool
	// ViteURL is the front end's own dev server under `wails dev`, else empty. Its pages carry an
	// inline script for hot reload.
	ViteURL string
	// BlankWindow serves the desktop window an empty page in a dev build, so that the browser of
	// an end-to-end test is the only client of the backend.
	BlankWindow bool
}

// devPageOptions reads the environment that Wails' own dev mode and the end-to-end tests set.
// In a build without the tag `dev` neither variable has any effect.
func devPageOptions(token sessionToken, getenv func(string) string) pageOptions {
	return pageOptions{
		Token:       token,
		Dev:         devBuild,
		ViteURL:     getenv("frontenddevserverurl"),
		BlankWindow: getenv("KANDEV_E2E_BLANK") == "1",
	}
}

// webViewAddr is what Wails puts into RemoteAddr of a request that came from the web view itself.
const webViewAddr = "192.0.2.1:1234"

// blankPage has no script, so it subscribes to nothing and calls nothing.
const blankPage = "<!doctype html><title>Kandev Desktop</title>"

// middleware is what stands between the web view and the embedded files: the policy headers on
// every answer, the session token, and in a dev build the blank window. It has the shape of
// Wails' assetserver.Middleware. It lets no state be changed by a request of any method.
func middleware(o pageOptions) func(http.Handler) http.Handler {
	policy := contentPolicy(o.Dev, o.Dev && o.ViteURL != "")
	return func(files http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			switch {
			case o.Dev && o.BlankWindow && r.RemoteAddr == webViewAddr:
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.Write([]byte(blankPage))
			case r.URL.Path == tokenPath:
				o.Token.serve(w, r)
			default:
				files.ServeHTTP(w, r)
			}
		})
	}
}

// contentPolicy is the page's Content Security Policy. Without 'unsafe-inline' in script-src a
// srcdoc frame, which inherits the policy and which frame-src does not stop, stays silent.
// Styles may be inline because positioned menus and virtual lists set them. Only a dev build may
// open WebSockets (Wails' dev bridge, hot reload), and only Vite's pages may hold inline script.
func contentPolicy(dev, vite bool) string {
	script, connect := "'self'", "'self'"
	if dev {
		connect += " ws://127.0.0.1:* ws://localhost:* ws://wails.localhost:*"
	}
	if vite {
		script += " 'unsafe-inline'"
	}
	return strings.Join([]string{
		"default-src 'self'",
		"script-src " + script,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data: blob:",
		"connect-src " + connect,
		"frame-src 'none'",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}
