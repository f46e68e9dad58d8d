package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"kandev/backend"
)

func TestForPage(t *testing.T) {
	_, missing := os.Stat("no-such-file")
	cases := []struct {
		err  error
		code string
	}{
		{errToken, "token"},
		{fmt.Errorf("start session s1: %w", context.Canceled), "cancelled"},
		{fmt.Errorf("ask: %w", context.DeadlineExceeded), "timeout"},
		{missing, "not_found"},
		{os.ErrPermission, "denied"},
		{errors.New("disk \"full\"\n<b>"), "failed"},
	}
	for _, c := range cases {
		err := forPage(c.err)
		var got struct{ Code, Message string }
		if parse := json.Unmarshal([]byte(err.Error()), &got); parse != nil {
			t.Fatalf("forPage(%v) is no JSON: %v", c.err, parse)
		}
		if got.Code != c.code || !strings.EqualFold(got.Message, c.err.Error()+".") {
			t.Errorf("forPage(%v) = %+v, want code %q", c.err, got, c.code)
		}
		if !errors.Is(err, c.err) {
			t.Errorf("forPage(%v) lost its cause", c.err)
		}
		if again := forPage(fmt.Errorf("%w", err)); !strings.Contains(again.Error(), c.code) {
			t.Errorf("twice: %v", again)
		}
	}
	if err := forPage(nil); err != nil {
		t.Errorf("forPage(nil) = %v", err)
	}
}

func TestSentence(t *testing.T) {
	for given, want := range map[string]string{
		"":                                 "",
		"the agent is running":             "The agent is running.",
		"not a folder: /home/ada/a b":      "Not a folder: /home/ada/a b.",
		"ändern geht nicht":                "Ändern geht nicht.",
		"Kandev is closing.":               "Kandev is closing.",
		"is it there?":                     "Is it there?",
		"cut here…":                        "Cut here…",
		"the last line of it\nis\t\n":      "The last line of it\nis.",
		"\xff at the start, then the rest": "\uFFFD at the start, then the rest.",
	} {
		if got := backend.AsSentence(clip(given, maxMessage)); got != want {
			t.Errorf("AsSentence(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestForPageBoundsTheMessage(t *testing.T) {
	for _, text := range []string{strings.Repeat("ä", 3000), strings.Repeat("x", maxMessage+1), "bad \xff bytes"} {
		var got struct{ Message string }
		if err := json.Unmarshal([]byte(forPage(errors.New(text)).Error()), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Message) > maxMessage || !utf8.ValidString(got.Message) {
			t.Errorf("%.10q…: message of %d bytes, valid %v", text, len(got.Message), utf8.ValidString(got.Message))
		}
	}
}
