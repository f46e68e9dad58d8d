package app

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestSessionTokenCheck(t *testing.T) {
	token := newSessionToken()
	if len(token.hex) != 64 {
		t.Fatalf("token has %d digits, want 64", len(token.hex))
	}
	if other := newSessionToken(); other == token {
		t.Fatal("two runs drew the same token")
	}
	if err := token.check(token.hex); err != nil {
		t.Errorf("the right token: %v", err)
	}
	for _, given := range []string{"", "x", token.hex[:63], token.hex + "0", newSessionToken().hex} {
		if err := token.check(given); !errors.Is(err, errToken) {
			t.Errorf("check(%q) = %v, want errToken", given, err)
		}
	}
	if err := (sessionToken{}).check(""); !errors.Is(err, errToken) {
		t.Errorf("the zero token let an empty one in: %v", err)
	}
}

func TestTokenIsServedToOurPageOnly(t *testing.T) {
	token := newSessionToken()
	page := map[string]string{pageHeader: "1"}
	with := func(name, value string) map[string]string { return map[string]string{pageHeader: "1", name: value} }
	cases := []struct {
		name, method string
		header       map[string]string
		want         int
	}{
		{"our page", "GET", page, 200},
		{"our page, engine says so", "GET", with("Sec-Fetch-Site", "same-origin"), 200},
		{"our page, with origin", "GET", with("Origin", "wails://wails"), 200},
		{"our page, with referer", "GET", with("Referer", "wails://wails/index.html"), 200},
		{"an image or script of a foreign page", "GET", nil, 403},
		{"cross-site", "GET", with("Sec-Fetch-Site", "cross-site"), 403},
		{"same-site is not same-origin", "GET", with("Sec-Fetch-Site", "same-site"), 403},
		{"typed address", "GET", with("Sec-Fetch-Site", "none"), 403},
		{"foreign origin", "GET", with("Origin", "https://example.com"), 403},
		{"opaque origin of a sandboxed frame", "GET", with("Origin", "null"), 403},
		{"foreign referer", "GET", with("Referer", "https://example.com/x"), 403},
		{"preflight", "OPTIONS", page, 405},
		{"post", "POST", page, 405},
		{"head", "HEAD", page, 405},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			request := httptest.NewRequest(c.method, tokenPath, nil)
			for name, value := range c.header {
				request.Header.Set(name, value)
			}
			answer := httptest.NewRecorder()
			token.serve(answer, request)
			if answer.Code != c.want {
				t.Fatalf("status %d, want %d", answer.Code, c.want)
			}
			var body struct{ Token string }
			err := json.Unmarshal(answer.Body.Bytes(), &body)
			if c.want != http.StatusOK {
				if err == nil || body.Token != "" {
					t.Errorf("a refusal carried a body: %q", answer.Body)
				}
				return
			}
			if err != nil || body.Token != token.hex {
				t.Errorf("body %q (%v), want the token", answer.Body, err)
			}
			if got := answer.Header().Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control %q, want no-store", got)
			}
		})
	}
}
