package bridge

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func response(kind, body string) *http.Response {
	return &http.Response{Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body))}
}

func collect(res *http.Response, limit int) (all []string, err error) {
	err = messages(res, limit, func(raw []byte, _ *reply) bool {
		all = append(all, string(raw))
		return true
	})
	return all, err
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name, kind, body string
		want             []string
		err              error
	}{
		{"json", jsonType, "{\"id\":1}\n", []string{`{"id":1}`}, nil},
		{"json with a parameter", jsonType + "; charset=utf-8", `{"id":1}`, []string{`{"id":1}`}, nil},
		{"json on lines", jsonType, "{\n\"id\":\r\n1}", []string{`{"id":1}`}, nil},
		{"empty", jsonType, "\n", nil, nil},
		{"html", jsonType, "<html>", nil, errNotJSON},
		{"array", jsonType, "[]", nil, errNotJSON},
		{"other kind", "text/plain", "{}", nil, nil},
		{"too large", jsonType, `{"a":"` + strings.Repeat("x", 200) + `"}`, nil, errTooLarge},
		{"one event", eventStream, "event: message\ndata: {\"id\":1}\n\n", []string{`{"id":1}`}, nil},
		{"line ends", eventStream, "data: {}\r\n\r\ndata:{\"a\":1}\r\rdata: {\"b\":1}\n\n", []string{`{}`, `{"a":1}`, `{"b":1}`}, nil},
		{"mark", eventStream, "\xef\xbb\xbfdata: {}\n\n", []string{`{}`}, nil},
		{"data on lines", eventStream, "data: {\ndata: \"a\":1\ndata: }\n\n", []string{`{"a":1}`}, nil},
		{"comments and fields", eventStream, ": c\nid: 7\nretry: 1\ndata\n\ndata:\n\n: c\n\ndata: {}\n\n", []string{`{}`}, nil},
		{"no blank line at the end", eventStream, "data: {}\n", []string{`{}`}, nil},
		{"no line end at the end", eventStream, "data: {}", []string{`{}`}, nil},
		{"no json", eventStream, "data: {}\n\ndata: hello\n\ndata: {}\n\n", []string{`{}`}, errNotJSON},
		{"event too large", eventStream, "data: " + strings.Repeat("x", 200) + "\n\n", nil, errTooLarge},
		{"event too large in pieces", eventStream, strings.Repeat("data: xxxxxxxxxx\n", 20) + "\n", nil, errTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := collect(response(c.kind, c.body), 100)
			if !slices.Equal(got, c.want) || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v", got, err)
			}
			res := response(c.kind, "")
			res.Body = io.NopCloser(iotest.OneByteReader(strings.NewReader(c.body)))
			if got, err = collect(res, 100); !slices.Equal(got, c.want) || !errors.Is(err, c.err) {
				t.Errorf("byte by byte: got %q, %v", got, err)
			}
		})
	}
}

// What was cut off is not passed on as a message.
func TestCutStream(t *testing.T) {
	res := response(eventStream, "")
	res.Body = io.NopCloser(io.MultiReader(strings.NewReader("data: {}\n\ndata: {\"id\":1}\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	got, err := collect(res, 100)
	if !slices.Equal(got, []string{"{}"}) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v", got, err)
	}
}

// FuzzEvents: whatever a stream holds, only JSON objects come out, each on one line.
func FuzzEvents(f *testing.F) {
	f.Add("data: {}\r\n\r\n")
	f.Add(": c\rdata: {\ndata: }\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		got, _ := collect(response(eventStream, body), 1000)
		for _, line := range got {
			if strings.ContainsAny(line, "\r\n") || !strings.HasPrefix(line, "{") || len(line) > 1000 {
				t.Fatalf("%q from %q", line, body)
			}
		}
	})
}
