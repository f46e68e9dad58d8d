package toolbench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// The SDK ends the connection on a line of 10 MiB. Longer lines are answered with an error here and never reach it.
const (
	lineLimit = 10<<20 - 64<<10 // passed on
	readLimit = 64 << 20        // read far enough to find the id and refuse; beyond it a line is dropped
	takeLimit = time.Second     // how long a prompt may hold back the lines behind it
)

// inbound hands the input to the SDK line by line. It exists for the order of messages: the SDK runs requests and
// notifications in different goroutines, so a session/cancel sent right after its session/prompt could overtake it and
// be lost, and a question would wait for hours. The line behind a prompt is therefore held until the prompt is taken.
type inbound struct {
	src     *bufio.Reader
	life    context.Context
	refuse  func(id json.RawMessage)
	open    chan struct{}
	openOne sync.Once
	passed  int // lineLimit, smaller in tests
	read    int // readLimit, smaller in tests
	taken   chan struct{}

	// Only the SDK's reader goroutine touches these.
	rest []byte
	hold bool
}

func newInbound(life context.Context, src io.Reader, refuse func(id json.RawMessage)) *inbound {
	return &inbound{
		src: bufio.NewReaderSize(src, 64<<10), life: life, refuse: refuse, passed: lineLimit, read: readLimit,
		open: make(chan struct{}), taken: make(chan struct{}, 1),
	}
}

// start lets the first byte through.
func (r *inbound) start() { r.openOne.Do(func() { close(r.open) }) }

// promptTaken says that the last prompt was registered or refused. Saying it twice is harmless.
func (r *inbound) promptTaken() {
	select {
	case r.taken <- struct{}{}:
	default:
	}
}

// Read implements io.Reader for the SDK; it never returns bytes of two lines.
func (r *inbound) Read(p []byte) (int, error) {
	<-r.open
	for len(r.rest) == 0 {
		r.waitTaken()
		line, whole, err := r.line()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		r.admit(line, whole)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// admit decides what becomes of a line: passed on, answered with an error, or dropped.
func (r *inbound) admit(line []byte, whole bool) {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	known := whole && json.Unmarshal(line, &head) == nil
	if !whole || len(line) > r.passed {
		if known && head.Method != "" && len(head.ID) > 0 {
			r.refuse(head.ID)
		}
		return
	}
	if known && head.Method == acp.AgentMethodSessionPrompt && len(head.ID) > 0 {
		select { // an old token must not let the next line through
		case <-r.taken:
		default:
		}
		r.hold = true
	}
	r.rest = line
}

func (r *inbound) waitTaken() {
	if !r.hold {
		return
	}
	r.hold = false
	timer := time.NewTimer(takeLimit)
	defer timer.Stop()
	select {
	case <-r.taken:
	case <-timer.C:
	case <-r.life.Done():
	}
}

// line reads up to and including the next newline. A line of more than read bytes is thrown away; whole is false.
func (r *inbound) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.src.ReadSlice('\n')
		if whole && len(line)+len(part) > r.read {
			line, whole = nil, false
		}
		if whole {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}
