package app

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func testDoor() (door, *bytes.Buffer) {
	var log bytes.Buffer
	return door{newSessionToken(), slog.New(slog.NewTextHandler(&log, nil))}, &log
}

func TestEnterRefusesWithoutToken(t *testing.T) {
	d, _ := testDoor()
	for _, given := range []string{"", "wrong"} {
		got, err := enter(d, given, "Snapshot", func() (string, error) {
			t.Error("the method ran without the token")
			return "secret", nil
		})
		if got != "" || !errors.Is(err, errToken) || !strings.Contains(err.Error(), `"code":"token"`) {
			t.Errorf("enter(%q) = %q, %v", given, got, err)
		}
	}
}

func TestEnterPassesResultAndError(t *testing.T) {
	d, _ := testDoor()
	got, err := enter(d, d.token.hex, "Title", func() (string, error) { return "hello", nil })
	if got != "hello" || err != nil {
		t.Errorf("enter = %q, %v", got, err)
	}
	want := errors.New("no such session")
	_, err = enter(d, d.token.hex, "Title", func() (string, error) { return "", want })
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), `{"code":"failed"`) {
		t.Errorf("enter = %v", err)
	}
}

func explode(secret string) (string, error) {
	var none map[string]string
	none[secret] = secret
	return secret, nil
}

func TestEnterRecovers(t *testing.T) {
	const secret = "the-prompt-of-the-person"
	bodies := map[string]func() (string, error){
		"map write":         func() (string, error) { return explode(secret) },
		"nil dereference":   func() (string, error) { var s *string; return *s, nil },
		"panic with secret": func() (string, error) { panic(secret) },
		"panic with error":  func() (string, error) { panic(errors.New(secret)) },
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			d, log := testDoor()
			got, err := enter(d, d.token.hex, "Prompt", body)
			if got != "" || !errors.Is(err, errPanic) {
				t.Errorf("enter = %q, %v, want errPanic", got, err)
			}
			if text := log.String() + err.Error(); strings.Contains(text, secret) || strings.Contains(text, d.token.hex) {
				t.Errorf("a secret reached the log or the page: %s", text)
			}
			for _, part := range []string{"method=Prompt", "app.enter", "recover_test.go:"} {
				if !strings.Contains(log.String(), part) {
					t.Errorf("the log lacks %q: %s", part, log)
				}
			}
		})
	}
}
