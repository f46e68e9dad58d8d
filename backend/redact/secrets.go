package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// spellings returns each secret in the forms in which error texts carry it,
// the longest first, so that no secret hides a part of a longer one.
func spellings(secrets []string) []string {
	var all []string
	for _, secret := range secrets {
		secret = strings.ToValidUTF8(secret, "\ufffd")
		trimmed := strings.TrimSpace(secret)
		if trimmed == "" {
			continue
		}
		all = append(all, secret, trimmed)
		if len(trimmed) < 4 {
			continue // any encoding of so little is found by chance
		}
		all = append(all, url.QueryEscape(trimmed), url.PathEscape(trimmed), quoted(trimmed))
		all = append(all, base64Forms(secret)...)
		// A key of several lines is printed line by line.
		for line := range strings.Lines(trimmed) {
			if line = strings.TrimSpace(line); len(line) >= 8 {
				all = append(all, line)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(all)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}

func base64Forms(s string) []string {
	return []string{
		base64.StdEncoding.EncodeToString([]byte(s)),
		base64.RawStdEncoding.EncodeToString([]byte(s)),
		base64.URLEncoding.EncodeToString([]byte(s)),
		base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
}

// remove replaces each known spelling.
func remove(text string, known []string) string {
	for _, s := range known {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return text
}

// erase deletes what is still there until nothing is. A secret such as "red"
// is a part of our own words, and a deletion can join the parts of another.
func erase(text string, known []string) string {
	for again := true; again; {
		again = false
		for _, s := range known {
			if strings.Contains(text, s) {
				text, again = strings.ReplaceAll(text, s, ""), true
			}
		}
	}
	return strings.TrimSpace(text)
}
