package acp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// Case 81.
func TestFrames(t *testing.T) {
	long := strings.Repeat("a", 40)
	tests := []struct {
		name, in string
		want     []string // "over N head" for a line that was too long
	}{
		{"lines", "a\nb\n", []string{"a", "b"}},
		{"no newline at EOF", "a\nb", []string{"a", "b"}},
		{"CRLF", "a\r\nb\r\n", []string{"a", "b"}},
		{"empty lines", "\n\r\na\n", []string{"", "", "a"}},
		{"at the limit", long + "\n" + long, []string{long, long}},
		{"at the limit with CRLF", long + "\r\nx", []string{long, "x"}},
		{"limit + 1", long + "b\nx\n", []string{"over 41 " + long + "b", "x"}},
		{"limit + 1 with CRLF", long + "b\r\nx\n", []string{"over 42 " + long + "b", "x"}},
		{"far beyond", strings.Repeat(long, 9) + "\nx", []string{"over 360 " + long + "a", "x"}},
		{"beyond, at EOF", "x\n" + long + long, []string{"x", "over 80 " + long + "a"}},
	}
	readers := map[string]func(string) io.Reader{
		"whole":     func(s string) io.Reader { return strings.NewReader(s) },
		"bytes":     func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
		"EOF early": func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
	}
	for _, tt := range tests {
		for how, reader := range readers {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				f := frameReader{r: bufio.NewReaderSize(reader(tt.in), 16), max: 40}
				if got := allFrames(t, &f, io.EOF); !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
}

func allFrames(t *testing.T, f *frameReader, end error) (got []string) {
	t.Helper()
	for {
		line, over, err := f.next()
		switch {
		case err != nil:
			if !errors.Is(err, end) {
				t.Errorf("ended with %v, want %v", err, end)
			}
			return got
		case over > 0:
			got = append(got, fmt.Sprintf("over %d %s", over, line))
		default:
			got = append(got, string(line))
		}
	}
}

// A line that an error cut off was not sent by anybody.
func TestFrameCutByError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))
	f := frameReader{r: bufio.NewReader(r), max: 40}
	if got := allFrames(t, &f, broken); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q", got)
	}
}

// A line that is too long costs only its head.
// Cases 78 and 81.
func TestLongLineCostsNoMemory(t *testing.T) {
	endless := io.LimitReader(zeros{}, 64<<20)
	f := frameReader{r: bufio.NewReaderSize(endless, 64<<10), max: 2 << 20}
	line, over, err := f.next()
	if err != nil || over != 64<<20 || len(line) != maxHead || cap(f.buf) > maxKept {
		t.Errorf("next = %d bytes, over %d, %v; buffer of %d", len(line), over, err, cap(f.buf))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestSniff(t *testing.T) {
	tests := []struct{ head, id, method string }{
		{`{"jsonrpc":"2.0","id":7,"result":{"x":"aaaa`, "7", ""},
		{`{"id":7,"jsonrpc":"2.0","error":{`, "7", ""},
		{`{"jsonrpc":"2.0","id":"a","method":"fs/write_text_file","params":{"c":"aa`, `"a"`, "fs/write_text_file"},
		{`{"method":"session/update","params":{`, "", "session/update"},
		{`{"id":7,"params":{"x":"`, "", ""}, // may be a request
		{"\x1b[0m" + `{"id":7,"result":"`, "7", ""},
		{`{"result":{"id":7`, "", ""},
		{`[{"id":7`, "", ""},
		{`{"id":{"a":`, "", ""},
		{``, "", ""},
	}
	for _, tt := range tests {
		id, method := sniff([]byte(tt.head))
		if string(id) != tt.id || method != tt.method {
			t.Errorf("sniff(%s) = %s, %q; want %s, %q", tt.head, id, method, tt.id, tt.method)
		}
	}
}

// Case 80.
func TestCutControl(t *testing.T) {
	tests := []struct{ in, want string }{
		{"{}", "{}"},
		{"\ufeff{}", "{}"},
		{" \t\x00\x07\r{}", "{}"},
		{"\x1b[0m{}", "{}"},
		{"\x1b[?25l\x1b[38;5;12m{}", "{}"},
		{"\x1b]0;x\x07{}", "{}"},
		{"\x1b]0;a {title}\x07{}", "{}"},
		{"\x1b]0;x\x1b\\{}", "{}"},
		{"\x1b]0;x{}", "{}"}, // no end: up to the brace
		{"\x1b]0;x", ""},
		{"\x1bP1$r\x1b\\{}", "{}"},
		{"\x1b(B{}", "{}"},
		{"\x1b7{}", "{}"},
		{"\x1b[{}", "{}"},
		{"\x1b{}", "{}"},
		{"\x1b", ""},
		{"hello {}", "hello {}"},
	}
	for _, tt := range tests {
		if got := cutControl([]byte(tt.in)); !bytes.Equal(got, []byte(tt.want)) {
			t.Errorf("cutControl(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
