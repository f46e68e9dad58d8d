package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
)

const (
	jsonType    = "application/json"
	eventStream = "text/event-stream"
)

var (
	errTooLarge = errors.New("a message is larger than the limit")
	errNotJSON  = errors.New("a message is not JSON-RPC")
	errEnough   = errors.New("no more is wanted")
)

// messages yields each message of a response as it comes: the JSON body, or
// the data of each server-sent event. The bytes are on one line and are valid
// during the call only. A nil error means that the response came to its end or
// that yield wanted no more; bodies of other kinds have no message.
func messages(res *http.Response, limit int, yield func(raw []byte, r *reply) (more bool)) error {
	one := func(p []byte) error {
		var r reply
		p = oneLine(p)
		if len(p) == 0 {
			return nil
		}
		if p[0] != '{' || json.Unmarshal(p, &r) != nil {
			return errNotJSON
		}
		if !yield(p, &r) {
			return errEnough
		}
		return nil
	}
	err := read(res, limit, one)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func read(res *http.Response, limit int, one func([]byte) error) error {
	switch kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind {
	case eventStream:
		return events(res.Body, limit, one)
	case jsonType:
		body, err := io.ReadAll(io.LimitReader(res.Body, int64(limit)+2))
		switch {
		case err != nil:
			return err
		case len(body) > limit+1: // the line end after a message is not counted
			return errTooLarge
		}
		return one(body)
	}
	return nil
}

// events yields the data of each event: its data lines joined by line feeds.
// A blank line ends an event; the last one counts without it, when the stream
// was not cut off. Other fields and comments are passed over.
func events(body io.Reader, limit int, yield func(data []byte) error) error {
	src := &eventLines{src: bufio.NewReaderSize(body, 64<<10), limit: limit}
	var data []byte
	pending := false
	for {
		text, ended, err := src.next()
		if err != nil {
			return err
		}
		if value, ok := bytes.CutPrefix(text, []byte("data:")); ok {
			if pending {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
			pending = true
			if len(data) > limit {
				return errTooLarge
			}
		}
		if pending && (len(text) == 0 || ended) {
			if err := yield(data); err != nil {
				return err
			}
			data, pending = nil, false
		}
		if ended {
			return nil
		}
	}
}

// eventLines reads lines that end with LF, CR LF or CR. It never waits for the
// byte after a CR.
type eventLines struct {
	src   *bufio.Reader
	limit int
	begun bool
	cr    bool // the last line ended with CR: a LF belongs to it
	line  []byte
}

// next returns a line without its end, valid until the next call. ended: the
// stream came to its end, and the line, which may be empty, had none.
func (e *eventLines) next() (text []byte, ended bool, err error) {
	e.line = e.line[:0]
	for {
		if _, err := e.src.Peek(1); errors.Is(err, io.EOF) {
			return e.line, true, nil
		} else if err != nil {
			return nil, false, err
		}
		chunk, _ := e.src.Peek(e.src.Buffered())
		if e.cr {
			e.cr = false
			if chunk[0] == '\n' {
				_, _ = e.src.Discard(1)
				continue
			}
		}
		at := bytes.IndexAny(chunk, "\r\n")
		if at < 0 {
			e.line = append(e.line, chunk...)
			_, _ = e.src.Discard(len(chunk))
			if len(e.line) > e.limit+len("data: ") {
				return nil, false, errTooLarge
			}
			continue
		}
		e.line = append(e.line, chunk[:at]...)
		e.cr = chunk[at] == '\r'
		_, _ = e.src.Discard(at + 1)
		if !e.begun {
			e.begun = true
			return bytes.TrimPrefix(e.line, byteOrderMark), false, nil
		}
		return e.line, false, nil
	}
}
