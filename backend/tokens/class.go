package tokens

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The classes of characters that the pattern of o200k_base tells apart. Each is
// one bit, so that the sets of the pattern are sums.
const (
	other    = 1 << iota // everything else: punctuation, symbols, controls, unassigned
	upper                // \p{Lu} \p{Lt}
	lower                // \p{Ll}
	caseless             // \p{Lm} \p{Lo}
	mark                 // \p{M}
	number               // \p{N}
	space                // \s but CR and LF
	newline              // CR and LF

	letter   = upper | lower | caseless // \p{L}
	upperRun = upper | caseless | mark  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lowerRun = lower | caseless | mark  // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	sign     = other | mark             // [^\s\p{L}\p{N}]
	white    = space | newline          // \s
)

// classRanges has a line for each range of characters of one class, in order:
// first, last, both in hexadecimal, and the letter of the class. What is in no
// line is of the class other. testdata/classes.mjs makes it.
//
//go:embed classes.txt
var classRanges string

// classes says of what class a character is, by pinned tables of Unicode 16.0:
// those of Go change with its versions, and the counts would with them.
type classes struct {
	first [256]uint8                     // by first byte; 0 if there are more bytes
	page  [(utf8.MaxRune + 1) >> 8]uint8 // index of a block for every 256 characters
	block [][256]uint8
}

var (
	errClasses = errors.New("malformed class ranges")
	classNames = map[string]uint8{
		"U": upper, "L": lower, "B": caseless, "M": mark, "N": number, "S": space, "R": newline,
	}
)

// read reads lines like those of classRanges. Pages that lie wholly in one
// range share a block.
func (c *classes) read(ranges string) error {
	uniform := map[uint8]uint8{}
	c.shared(uniform, other) // block 0, that of every page so far
	for line := range strings.Lines(ranges) {
		from, rest, _ := strings.Cut(line, " ")
		to, name, _ := strings.Cut(strings.TrimSpace(rest), " ")
		first, err1 := strconv.ParseUint(from, 16, 32)
		last, err2 := strconv.ParseUint(to, 16, 32)
		class := classNames[name]
		if err1 != nil || err2 != nil || class == 0 || first > last || last > utf8.MaxRune {
			return errClasses
		}
		for r := int(first); r <= int(last); r++ {
			if r&255 == 0 && r+255 <= int(last) {
				c.page[r>>8] = c.shared(uniform, class)
				r += 255
			} else if !c.set(rune(r), class) {
				return errClasses
			}
		}
	}
	copy(c.first[:utf8.RuneSelf], c.block[c.page[0]][:])
	return nil
}

// set gives a character its class, in a block of its page's own. It returns
// false if there are too many blocks.
func (c *classes) set(r rune, class uint8) bool {
	if c.page[r>>8] == 0 {
		if len(c.block) > 255 {
			return false
		}
		c.page[r>>8] = uint8(len(c.block))
		c.block = append(c.block, c.block[0])
	}
	c.block[c.page[r>>8]][r&255] = class
	return true
}

// shared returns the block of which all characters are of one class.
func (c *classes) shared(uniform map[uint8]uint8, class uint8) uint8 {
	at, known := uniform[class]
	if !known {
		at = uint8(len(c.block))
		uniform[class] = at
		var block [256]uint8
		for i := range block {
			block[i] = class
		}
		c.block = append(c.block, block)
	}
	return at
}

func (c *classes) of(r rune) uint8 { return c.block[c.page[r>>8]][r&255] }

// at returns the class and the width of the character at s[i]. s is UTF-8.
func (c *classes) at(s []byte, i int) (class uint8, width int) {
	if class = c.first[s[i]]; class != 0 {
		return class, 1
	}
	return c.wide(s, i)
}

func (c *classes) wide(s []byte, i int) (class uint8, width int) {
	r, width := utf8.DecodeRune(s[i:])
	return c.of(r), width
}

// run returns the end of the characters of one set that begin at s[i].
func (c *classes) run(s []byte, i int, set uint8) int {
	for {
		for i < len(s) && c.first[s[i]]&set != 0 {
			i++
		}
		if i == len(s) || c.first[s[i]] != 0 {
			return i
		}
		class, width := c.wide(s, i)
		if class&set == 0 {
			return i
		}
		i += width
	}
}
