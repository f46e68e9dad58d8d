package catalog

import "errors"

// ErrNotJSON is returned by Compact for bytes that are not exactly one JSON value.
var ErrNotJSON = errors.New("not one JSON value")

// Compact returns one JSON value in the form that is counted and stored: keys
// in served order, no white space outside strings, and `<`, `>`, `&` as
// themselves also where they were served as \u003c, \u003e, \u0026. Every
// other escape, number spelling and duplicate key stays as served, and so do
// bytes that are not UTF-8. It has no depth limit and needs linear time.
// Source: spec/catalog.md.
func Compact(src []byte) ([]byte, error) {
	c := compactor{src: src, out: make([]byte, 0, len(src))}
	if !c.run() {
		return nil, ErrNotJSON
	}
	return c.out, nil
}

// compactor checks the grammar and writes in one pass. Nesting lives in a
// slice, not in the call stack: encoding/json stops at 10,000 levels, and one
// such schema must not lose the other tools.
type compactor struct {
	src  []byte
	out  []byte
	pos  int
	open []byte // the enclosing '{' and '['
}

func (c *compactor) run() bool {
	for {
		closed, ok := c.value()
		if !ok {
			return false
		}
		if !closed {
			continue // an opened container: its first value comes next
		}
		done, ok := c.after()
		if done || !ok {
			return ok
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (c *compactor) peek() byte {
	for c.pos < len(c.src) {
		switch b := c.src[c.pos]; b {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return b
		}
	}
	return 0
}

func (c *compactor) copy(n int) {
	c.out = append(c.out, c.src[c.pos:c.pos+n]...)
	c.pos += n
}

// value reads a scalar, an empty container (closed), or the start of a
// container up to its first value (not closed).
func (c *compactor) value() (closed, ok bool) {
	switch b := c.peek(); b {
	case '{':
		c.copy(1)
		if c.peek() == '}' {
			c.copy(1)
			return true, true
		}
		c.open = append(c.open, b)
		return false, c.key()
	case '[':
		c.copy(1)
		if c.peek() == ']' {
			c.copy(1)
			return true, true
		}
		c.open = append(c.open, b)
		return false, true
	case '"':
		return true, c.text()
	case 't':
		return true, c.literal("true")
	case 'f':
		return true, c.literal("false")
	case 'n':
		return true, c.literal("null")
	default:
		return true, c.number()
	}
}

// after reads what may follow a value: closing brackets, or a comma (and a
// key) before the next value. done means that the outermost value has ended.
func (c *compactor) after() (done, ok bool) {
	for {
		b := c.peek()
		if len(c.open) == 0 {
			return true, c.pos == len(c.src)
		}
		in := c.open[len(c.open)-1]
		switch {
		case b == ',' && in == '{':
			c.copy(1)
			return false, c.key()
		case b == ',':
			c.copy(1)
			return false, true
		case b == '}' && in == '{', b == ']' && in == '[':
			c.copy(1)
			c.open = c.open[:len(c.open)-1]
		default:
			return true, false
		}
	}
}

func (c *compactor) key() bool {
	if c.peek() != '"' || !c.text() || c.peek() != ':' {
		return false
	}
	c.copy(1)
	return true
}

func (c *compactor) literal(word string) bool {
	end := c.pos + len(word)
	if end > len(c.src) || string(c.src[c.pos:end]) != word {
		return false
	}
	c.copy(len(word))
	return true
}
