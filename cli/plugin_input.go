package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
)

var errInterrupted = errors.New("interrupted")

// input reads standard input to its end, at most so many bytes. A pipe that nobody closes ends with ctx: what still
// reads then ends with the process.
func (s surroundings) input(ctx context.Context, most int) ([]byte, error) {
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(s.in, int64(most)+1))
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		if r.err == nil && len(r.text) > most {
			return nil, fmt.Errorf("more than %s", size(most))
		}
		return r.text, r.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}
