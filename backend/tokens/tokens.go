// Package tokens counts o200k_base tokens offline.
//
// Purpose: the estimates of the catalog, method o200k_base:mcp-tool-json-v1.
//
// Guarantees: no network and no file; only the o200k_base vocabulary is
// linked; special tokens such as <|endoftext|> are ordinary text; time grows
// nearly linearly with any input and memory is bounded by chunks; equal
// content gives an equal count. Safe for concurrent use.
//
// It does not compact JSON: Estimate and Count get text as it stands in the
// compact definition (catalog.Compact), which is what the method defines.
//
// Known differences to the reference (encode_ordinary of tiktoken), from the
// module v0.10.0 and the Go tables, each with a test by its name:
// U+007F is not counted; a white space run with several separate line breaks
// counts too much (no compact JSON has raw ones); letters added by Unicode
// 15.1 and later may split differently; bytes that are not UTF-8 count as one
// U+FFFD per maximal subpart, as in the reference, because the error mode is
// set (the module's default is neither exact nor stable).
package tokens

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// ErrUnavailable means that there is no tokenizer, so there is no number:
// never a heuristic, never zero.
var ErrUnavailable = errors.New("tokenizer unavailable")

// standard is loaded by the first count, not at start-up (about 10 ms and
// 12 MB). Its cache is the only state, and it changes no result.
var standard = sync.OnceValues(New)

// Estimate counts one complete tool definition, given as compact JSON. The
// error is ErrUnavailable. The bytes are not kept.
func Estimate(toolJSON []byte) (int, error) {
	c, err := standard()
	if err != nil {
		return 0, err
	}
	return c.Estimate(toolJSON)
}

// Count counts a text, such as the compact JSON of one member's value. It is
// meant for the parts of a definition that Estimate has counted: without a
// tokenizer Estimate fails, and no part is asked for. Then Count is 0.
func Count(text string) int {
	c, err := standard()
	if err != nil {
		return 0
	}
	return c.Count(text)
}

// Counter counts with its own cache. Make it with New.
type Counter struct {
	codec *codec.Codec
	cache cache
}

// New loads the vocabulary, once per process, and checks it by one count.
func New() (c *Counter, err error) {
	defer func() {
		if r := recover(); r != nil { // the module's MustCompile
			c, err = nil, fmt.Errorf("%w: %v", ErrUnavailable, r)
		}
	}()
	o200k := codec.NewO200kBase()
	o200k.SetErrorMode(codec.ErrorModeReplace) // before sharing: the field has no lock
	if n, err := o200k.Count("hello world"); err != nil || n != 2 {
		return nil, fmt.Errorf("%w: self-check counted %d", ErrUnavailable, n)
	}
	return &Counter{codec: o200k}, nil
}

// Estimate is the function of that name with this counter's cache.
func (c *Counter) Estimate(toolJSON []byte) (int, error) {
	return c.cached(string(toolJSON))
}

// Count is the function of that name with this counter's cache.
func (c *Counter) Count(text string) int {
	n, err := c.cached(text)
	if err != nil {
		return 0
	}
	return n
}

func (c *Counter) cached(text string) (int, error) {
	key := keyOf(text)
	if n, ok := c.cache.get(key); ok {
		return n, nil
	}
	n, err := c.count(text, chunkSize)
	if err != nil {
		return 0, err
	}
	c.cache.put(key, n)
	return n, nil
}

func (c *Counter) count(text string, size int) (total int, err error) {
	for chunk := range chunks(text, size) {
		n, err := c.codec.Count(chunk)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		total += n
	}
	return total, nil
}
