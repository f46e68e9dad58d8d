package backend

import (
	"fmt"
	"strings"
	"testing"

	"kandev/backend/session"
)

// TestLogin: an agent that wants a login says so with a command to copy; by the
// method it offers itself the session starts, with the prompt that was typed.
func TestLogin(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerLogin, "hello")
	a.inState(id, session.Failed)
	const want = "The agent wants you to log in first. Run in a terminal: fake login. " +
		"For Terminal run in a terminal: fake 'log in' --now. It also offers to log in by itself: API key, Bad. Then start the session again."
	if got := a.notes(id); !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
	methods, err := a.LoginMethods(id)
	if got := fmt.Sprint(methods); err != nil || got != "[{key API key  } {bad Bad  } {term Terminal  fake 'log in' --now}]" {
		t.Errorf("%s, %v", got, err)
	}
	for method, sentence := range map[string]string{"bad": "wrong key", "term": "does not offer", "none": "does not offer"} {
		if err := a.Authenticate(t.Context(), id, method); err != nil {
			t.Fatal(err)
		}
		a.until("the login by "+method+" fails", func() bool {
			return a.row(id).State == string(session.Failed) && strings.Contains(a.notes(id), "The login failed") && strings.Contains(a.notes(id), sentence)
		})
	}
	if err := a.Authenticate(t.Context(), id, "key"); err != nil {
		t.Fatal(err)
	}
	a.said(id, "you said hello")
	if !strings.Contains(a.notes(id), "Logging in: API key.") {
		t.Errorf("%q", a.notes(id))
	}
}
