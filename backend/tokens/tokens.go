// Package tokens counts o200k_base tokens offline.
//
// Purpose: the estimates of the catalog, method o200k_base:mcp-tool-json-v1.
//
// Guarantees: counts equal those of the reference, encode_ordinary of OpenAI's
// tiktoken, on any bytes, and do not change with the version of Go; no network
// and no file; special tokens such as <|endoftext|> are ordinary text; time
// grows nearly linearly with any input, and memory only by a copy of text that
// is not UTF-8 (giant.go has the reservation). Safe for concurrent use.
//
// It does not compact JSON: Estimate and Count get text as it stands in the
// compact definition (catalog.Compact), which is what the method defines. It
// gives no ids of tokens.
//
// # The split
//
// A text is first split into pieces by the pattern of o200k_base, published in
// OpenAI's tiktoken (tiktoken_ext/openai_public.py), the first alternative that
// matches, each as greedy as it can be:
//
//  1. [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//  2. [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//  3. \p{N}{1,3}
//  4. [ ]?[^\s\p{L}\p{N}]+[\r\n/]*
//  5. \s*[\r\n]+
//  6. \s+(?!\S)
//  7. \s+
//
// Eight classes of characters decide all of it (class.go). They are pinned to
// Unicode 16.0, which the reference has. split.go matches in one pass.
//
// # The merges
//
// Each piece is then merged from single bytes by byte pair encoding (merge.go,
// giant.go for long pieces). The vocabulary is a list of pairs of tokens
// (vocabulary.go), generated from the module github.com/tiktoken-go/tokenizer
// and checked against the SHA-256 that OpenAI publishes for o200k_base.tiktoken.
package tokens

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// ErrUnavailable means that there is no tokenizer, so there is no number:
// never a heuristic, never zero.
var ErrUnavailable = errors.New("tokenizer unavailable")

// standard is loaded by the first count, not at start-up (some 5 ms and 4 MB).
// What it keeps for later counts changes no result.
var standard = source(sync.OnceValues(New))

// source gives the counter, or ErrUnavailable.
type source func() (*Counter, error)

// Estimate counts one complete tool definition, given as compact JSON. The
// error is ErrUnavailable. The bytes are not changed, and not kept but for short
// pieces, which the next counts will meet again.
func Estimate(toolJSON []byte) (int, error) { return standard.estimate(toolJSON) }

func (s source) estimate(toolJSON []byte) (int, error) {
	c, err := s()
	if err != nil {
		return 0, err
	}
	return c.Estimate(toolJSON)
}

// Count counts a text, such as the compact JSON of one member's value. It is
// meant for the parts of a definition that Estimate has counted: without a
// tokenizer Estimate fails, and no part is asked for. Then Count is 0.
func Count(text string) int { return standard.count(text) }

func (s source) count(text string) int {
	c, err := s()
	if err != nil {
		return 0
	}
	return c.Count(text)
}

// Counter counts with its own cache. Make it with New.
type Counter struct {
	vocabulary *vocabulary
	cache      cache
}

// New loads the vocabulary and checks it by one count. The error is
// ErrUnavailable.
func New() (*Counter, error) { return load(mergeList, classRanges) }

// load is New with data that a test may damage.
func load(merges []byte, ranges string) (*Counter, error) {
	v := new(vocabulary)
	if err := v.load(merges, ranges); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if n := v.count([]byte("hello world")); n != 2 {
		return nil, fmt.Errorf("%w: self-check counted %d", ErrUnavailable, n)
	}
	return &Counter{vocabulary: v}, nil
}

// Estimate is the function of that name with this counter's cache. The error is
// always nil: a Counter has its vocabulary.
func (c *Counter) Estimate(toolJSON []byte) (int, error) {
	key := keyOf(toolJSON)
	n, ok := c.cache.get(key)
	if !ok {
		n = c.vocabulary.count(toolJSON)
		c.cache.put(key, n)
	}
	return n, nil
}

// Count is the function of that name with this counter's cache.
func (c *Counter) Count(text string) int {
	// The bytes of the string, which nothing here writes to, without a copy.
	n, _ := c.Estimate(unsafe.Slice(unsafe.StringData(text), len(text)))
	return n
}
