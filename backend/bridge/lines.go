package bridge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// line is one line of the input without its end. long: it was larger than the
// limit and is not kept.
type line struct {
	bytes []byte
	long  bool
}

// lines reads the input in a goroutine of its own, so that its end is seen
// while an earlier line is waited for.
type lines struct {
	limit int
	to    chan line   // closed at the end
	ended atomic.Bool // the reader has returned; err may be read
	err   error       // why, unless the input came to its end
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// read hands on every line that holds something. Line ends are LF or CR LF, the
// last line needs none, and a byte order mark at the start is passed over.
// atEnd is called once, at the input's end.
func (r *lines) read(ctx context.Context, in io.Reader, atEnd func()) {
	defer close(r.to)
	defer r.ended.Store(true)
	defer atEnd()
	src := bufio.NewReaderSize(in, 64<<10)
	for first := true; ; first = false {
		l, err := r.next(src)
		if first {
			l.bytes = bytes.TrimPrefix(l.bytes, byteOrderMark)
		}
		l.bytes = bytes.Trim(l.bytes, " \t\r\n")
		if len(l.bytes) > 0 || l.long {
			select {
			case r.to <- l:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.err = err
			}
			return
		}
	}
}

// next reads one line and never keeps more than the limit.
func (r *lines) next(src *bufio.Reader) (l line, err error) {
	for {
		part, err := src.ReadSlice('\n')
		if !l.long && len(l.bytes)+len(part) > r.limit+2 { // its line end is not counted
			l = line{long: true}
		}
		if !l.long {
			l.bytes = append(l.bytes, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}

// output writes lines, one at a time. After a failed write it writes no more.
type output struct {
	w      io.Writer
	failed func() // called once

	mu     sync.Mutex
	broken bool
}

// write sends one message; it holds no line break.
func (o *output) write(message []byte) {
	whole := make([]byte, 0, len(message)+1)
	whole = append(append(whole, message...), '\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken {
		return
	}
	if _, err := o.w.Write(whole); err != nil {
		o.broken = true
		o.failed()
	}
}
