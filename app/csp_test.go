package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// get sends one request through the middleware to a handler that stands for the embedded files.
func get(o pageOptions, path, remote string) *httptest.ResponseRecorder {
	files := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("file"))
	})
	request := httptest.NewRequest(http.MethodGet, path, nil)
	request.Header.Set(pageHeader, "1")
	if remote != "" {
		request.RemoteAddr = remote
	}
	answer := httptest.NewRecorder()
	middleware(o)(files).ServeHTTP(answer, request)
	return answer
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	for _, path := range []string{"/", "/assets/index.js", "/absent", tokenPath} {
		header := get(pageOptions{}, path, "").Header()
		if got := header.Get("Content-Security-Policy"); got != contentPolicy(false, false) {
			t.Errorf("%s: policy %q", path, got)
		}
		if got := header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q, want nosniff", path, got)
		}
	}
}

func TestContentPolicy(t *testing.T) {
	shipped := contentPolicy(false, false)
	for _, part := range []string{
		"default-src 'self';", "script-src 'self';", "connect-src 'self';", "frame-src 'none';",
		"object-src 'none';", "base-uri 'none';", "form-action 'none'",
	} {
		if !strings.Contains(shipped, part) {
			t.Errorf("the policy lacks %q: %s", part, shipped)
		}
	}
	for _, loose := range []string{"ws:", "eval", "*", "http"} {
		if strings.Contains(shipped, loose) {
			t.Errorf("the shipped policy allows %q: %s", loose, shipped)
		}
	}
	if dev := contentPolicy(true, false); !strings.Contains(dev, "script-src 'self';") || !strings.Contains(dev, "ws://127.0.0.1:*") {
		t.Errorf("end-to-end builds keep the script rule and gain the dev bridge: %s", dev)
	}
	if vite := contentPolicy(true, true); !strings.Contains(vite, "script-src 'self' 'unsafe-inline';") {
		t.Errorf("hot reload needs its inline script: %s", vite)
	}
}

func TestViteAndBlankNeedADevBuild(t *testing.T) {
	o := pageOptions{ViteURL: "http://localhost:5173", BlankWindow: true}
	answer := get(o, "/", webViewAddr)
	if answer.Body.String() != "file" {
		t.Errorf("a shipped build served %q to its window", answer.Body)
	}
	if got := answer.Header().Get("Content-Security-Policy"); got != contentPolicy(false, false) {
		t.Errorf("a shipped build loosened its policy: %s", got)
	}
}

func TestBlankWindow(t *testing.T) {
	o := pageOptions{Dev: true, BlankWindow: true, Token: newSessionToken()}
	for _, path := range []string{"/", tokenPath, "/assets/index.js"} {
		if got := get(o, path, webViewAddr).Body.String(); got != blankPage {
			t.Errorf("the window got %q at %s, want the blank page", got, path)
		}
	}
	if got := get(o, "/", "127.0.0.1:40000").Body.String(); got != "file" {
		t.Errorf("the browser got %q, want the file", got)
	}
	if got := get(o, tokenPath, "127.0.0.1:40000").Body.String(); !strings.Contains(got, o.Token.hex) {
		t.Errorf("the browser got %q, want the token", got)
	}
}
