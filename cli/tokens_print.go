package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// tokenReport writes estimates as they are made: a table for people, or one JSON object.
type tokenReport struct {
	out    *printing
	buffer *bufio.Writer // of out
	asJSON bool
	rows   int
	total  int
}

func newTokenReport(w io.Writer, asJSON bool) *tokenReport {
	buffer := bufio.NewWriterSize(w, 32<<10)
	return &tokenReport{out: &printing{w: buffer}, buffer: buffer, asJSON: asJSON}
}

// width holds ~ and six digits; the number stands first, so that a long list is aligned without knowing its names.
const width = 8

func (r *tokenReport) tool(name string, n int) {
	r.rows++
	r.total += n
	switch {
	case !r.asJSON && r.rows == 1:
		r.out.f("%*s  %s\n", width, "tokens", "tool")
		fallthrough
	case !r.asJSON:
		r.out.f("%*s  %s\n", width, "~"+strconv.Itoa(n), visible(name))
	default:
		opening := ","
		if r.rows == 1 {
			opening = fmt.Sprintf(`{"method":%s,"tools":[`, ascii(method))
		}
		r.out.f("%s\n{\"name\":%s,\"tokens\":%d}", opening, ascii(name), n)
	}
}

// close writes the total. Without a tool there is no number, and so no method.
func (r *tokenReport) close(tools int) {
	what := "tools"
	if tools == 1 {
		what = "tool"
	}
	switch {
	case r.asJSON && tools == 0:
		r.out.f("{\"tools\":[],\"count\":0}\n")
	case r.asJSON:
		r.out.f("\n],\"count\":%d,\"total\":%d}\n", tools, r.total)
	case tools == 0:
		r.out.f("%*s  total of 0 tools\n", width, "—")
	default:
		r.out.f("%*s  total of %d %s\nestimated as %s\n", width, "~"+strconv.Itoa(r.total), tools, what, method)
	}
	if r.out.err == nil {
		r.out.err = r.buffer.Flush()
	}
}

// visible shows what a terminal would obey or hide: control characters, direction marks, bytes that are no text.
func visible(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// ascii is a JSON string in which the same characters are escaped.
func ascii(s string) string {
	var b strings.Builder
	quoted, _ := json.Marshal(s) // a string always encodes
	for _, r := range string(quoted) {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// faults names lines that could not be counted; neighbours with one reason share a message.
type faults struct {
	out         io.Writer
	any         bool
	first, last int
	reason      string
}

func (f *faults) add(line int, reason string) {
	f.any = true
	if f.reason == reason && line == f.last+1 {
		f.last = line
		return
	}
	f.flush()
	f.first, f.last, f.reason = line, line, reason
}

func (f *faults) flush() {
	switch {
	case f.reason == "":
	case f.first == f.last:
		fmt.Fprintf(f.out, "tokens: line %d: %s\n", f.first, f.reason)
	default:
		fmt.Fprintf(f.out, "tokens: lines %d to %d: %s\n", f.first, f.last, f.reason)
	}
	f.reason = ""
}
