package catalog

import (
	"bytes"
	"iter"
)

// isJSON tells a JSON body from server-sent events, whose lines start with a
// field name or a colon.
func isJSON(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n")
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

// eventData yields the data of each event: the data lines joined by line
// feeds. Lines end with CR LF, LF or CR; a blank line ends an event. The last
// event counts without its blank line too: the body was served in full, and a
// writer may leave it out.
func eventData(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var data []byte
		pending := false
		for len(body) > 0 {
			var line []byte
			line, body = cutLine(body)
			if len(line) == 0 {
				if pending && !yield(data) {
					return
				}
				data, pending = nil, false
				continue
			}
			value, ok := bytes.CutPrefix(line, []byte("data:"))
			if !ok {
				continue
			}
			if pending {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
			pending = true
		}
		if pending {
			yield(data)
		}
	}
}

func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexAny(b, "\r\n")
	if i < 0 {
		return b, nil
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		return b[:i], b[i+2:]
	}
	return b[:i], b[i+1:]
}
