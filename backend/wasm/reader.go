package wasm

import (
	"errors"
	"fmt"
)

var (
	errEnd = errors.New("unexpected end")
	errLEB = errors.New("a number is written with too many bytes")
)

// reader walks bytes of a module. The first error stays and every later read
// gives zero, so that a sequence of reads is checked once at its end. No read
// allocates.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) left() int {
	if r.err != nil {
		return 0
	}
	return len(r.b) - r.at
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) u8() byte {
	if r.left() < 1 {
		if r.err == nil {
			r.err = errEnd
		}
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) u32() uint32 {
	var v uint64
	for i := range 5 {
		c := r.u8()
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if v > 0xffff_ffff {
				break
			}
			return uint32(v)
		}
	}
	if r.err == nil {
		r.err = errLEB
	}
	return 0
}

// signed skips a signed number of up to bits bits.
func (r *reader) signed(bits int) {
	for range (bits + 6) / 7 {
		if r.u8() < 0x80 {
			return
		}
	}
	if r.err == nil {
		r.err = errLEB
	}
}

func (r *reader) skip(n int) {
	if n < 0 || n > r.left() {
		if r.err == nil {
			r.err = errEnd
		}
		return
	}
	r.at += n
}

// bytes returns the next n bytes of the module itself.
func (r *reader) bytes(n uint32) []byte {
	if int64(n) > int64(r.left()) {
		if r.err == nil {
			r.err = errEnd
		}
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

func (r *reader) name() []byte { return r.bytes(r.u32()) }

// count reads how many things follow. A claim is checked against a bound and
// against the bytes that are left, of which each thing takes at least one.
func (r *reader) count(what string, most int) int {
	n := r.u32()
	switch {
	case r.err != nil:
		return 0
	case int64(n) > int64(most):
		r.fail("%d %s, at most %d are allowed", n, what, most)
		return 0
	case int64(n) > int64(r.left()):
		r.fail("%d %s are claimed with %d bytes left", n, what, r.left())
		return 0
	}
	return int(n)
}

func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}
