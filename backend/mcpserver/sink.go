package mcpserver

import (
	"fmt"
	"net/http"
	"time"
)

// sink writes to one response, each time to the wire and with a deadline. It
// is for one goroutine at a time. After an error it stays broken.
type sink struct {
	w       http.ResponseWriter
	timeout time.Duration
	err     error
}

func (s *sink) write(chunks ...[]byte) error {
	if s.err != nil {
		return s.err
	}
	control := http.NewResponseController(s.w)
	_ = control.SetWriteDeadline(time.Now().Add(s.timeout))
	for _, c := range chunks {
		if _, s.err = s.w.Write(c); s.err != nil {
			return s.err
		}
	}
	s.err = control.Flush()
	return s.err
}

// event writes one server-sent event; message holds no line break.
func (s *sink) event(message []byte) error {
	return s.write([]byte("event: message\ndata: "), message, []byte("\n\n"))
}

// stream begins a response of server-sent events; nothing is on the wire before
// the first write.
func (s *sink) stream() {
	s.w.Header().Set("Content-Type", eventStream)
	s.w.Header().Set("X-Accel-Buffering", "no") // the specification's word to proxies
	s.w.WriteHeader(http.StatusOK)
}

// whole answers with one complete JSON body.
func (s *sink) whole(status int, chunks ...[]byte) error {
	n := 0
	for _, c := range chunks {
		n += len(c)
	}
	s.w.Header().Set("Content-Type", jsonType)
	s.w.Header().Set("Content-Length", fmt.Sprint(n))
	s.w.WriteHeader(status)
	return s.write(chunks...)
}
