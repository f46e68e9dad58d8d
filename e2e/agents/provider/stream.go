package provider

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// stream writes an answer in pieces.
type stream struct {
	w     http.ResponseWriter
	path  string
	begun bool
}

// event writes a server-sent event; name may be "".
func (s *stream) event(name string, v any) {
	text, ok := v.(string)
	if !ok {
		b, err := json.Marshal(v)
		if err != nil {
			return
		}
		text = string(b)
	}
	s.begin("text/event-stream")
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", text)
	s.flush()
}

// line writes a line of JSON.
func (s *stream) line(v any) {
	s.begin("application/json")
	_ = json.NewEncoder(s.w).Encode(v) // a client that is gone needs no answer
	s.flush()
}

// whole writes an answer that is not streamed.
func (s *stream) whole(v any) { writeJSON(s.w, v) }

func (s *stream) begin(kind string) {
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", kind)
		s.w.Header().Set("Cache-Control", "no-cache")
		s.w.WriteHeader(http.StatusOK)
	}
}

func (s *stream) flush() { _ = http.NewResponseController(s.w).Flush() }

func decode(body []byte, v any) error {
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("provider: read a request: %w", err)
	}
	return nil
}
