package app

import "testing"

func TestOwnPage(t *testing.T) {
	cases := []struct {
		url       string
		prod, dev bool
	}{
		{"wails://wails/", true, true},
		{"wails://wails/index.html#/session/1", true, true},
		{"wails://wails", true, true},
		{"http://wails.localhost/", true, true},
		{"wails://wails.localhost:34115/", false, true},
		{"http://127.0.0.1:34115/", false, true},
		{"http://[::1]:34115/", false, true},
		{"http://localhost:5173/", false, true},
		{"http://127.0.0.1.example.com/", false, false},
		{"https://wails.localhost/", false, false},
		{"wails://wails.example.com/", false, false},
		{"wails://wails@evil.example/", false, false},
		{"wails://evil@wails/", false, false},
		{"wails:wails", false, false},
		{"http://wails.localhost:80/", false, false},
		{"https://example.com/", false, false},
		{"about:blank", false, false},
		{"about:srcdoc", false, false},
		{"data:text/html,x", false, false},
		{"blob:wails://wails/1", false, false},
		{"javascript:alert(1)", false, false},
		{"file:///etc/passwd", false, false},
		{"//wails/", false, false},
		{"null", false, false},
		{"", false, false},
		{"http://[::1", false, false},
	}
	for _, c := range cases {
		if got := ownPage(c.url, false); got != c.prod {
			t.Errorf("ownPage(%q), shipped build = %v, want %v", c.url, got, c.prod)
		}
		if got := ownPage(c.url, true); got != c.dev {
			t.Errorf("ownPage(%q), dev build = %v, want %v", c.url, got, c.dev)
		}
	}
}
