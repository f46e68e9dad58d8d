package tokens

// next returns the end of the piece that begins at s[i]: one match of the
// pattern in the package comment, without backtracking. It looks at a byte a
// bounded number of times over all pieces. s is UTF-8 and i < len(s).
func (c *classes) next(s []byte, i int) int {
	class, width := c.first[s[i]], 1
	if class == 0 {
		class, width = c.wide(s, i)
	}
	switch {
	case class&letter != 0:
		return c.word(s, i, class)
	case class == number:
		return c.digits(s, i+width)
	case class != newline:
		if end := c.word(s, i+width, class); end > 0 {
			return end
		}
	}
	from := i
	if s[i] == ' ' {
		from++
	}
	if end := c.run(s, from, sign); end > from { // ` ?[^\s\p{L}\p{N}]+[\r\n/]*`
		for end < len(s) && (s[end] == '\n' || s[end] == '\r' || s[end] == '/') {
			end++
		}
		return end
	}
	return c.blank(s, i)
}

// word matches the first two alternatives, of which the letters begin at s[i].
// first is the class of the letter there or of the prefix before it. It
// returns 0 if neither matches.
//
// Both begin with a greedy run of upperRun. The first alternative wants one of
// lowerRun after it. If no lower-case letter follows, it gives back as much as
// it has to: its match ends with the last character that is in both sets, and
// what is left begins the next piece ("字AB" is "字" and "AB"). A mark can be
// that character even when it was taken for the prefix. Only a run without any
// goes to the second alternative.
func (c *classes) word(s []byte, i int, first uint8) int {
	end, inBoth := i, 0
	if first == mark {
		inBoth = i
	}
	for end < len(s) {
		class, width := c.first[s[end]], 1
		if class == 0 { // not by at: this is the innermost loop
			class, width = c.wide(s, end)
		}
		if class&upperRun == 0 {
			if class == lower {
				return withContraction(s, c.run(s, end+width, lowerRun))
			}
			break
		}
		end += width
		if class != upper {
			inBoth = end
		}
	}
	switch {
	case inBoth > 0:
		return withContraction(s, inBoth)
	case end > i:
		return withContraction(s, end)
	}
	return 0
}

// withContraction is small enough to be inlined: few words have one.
func withContraction(s []byte, i int) int {
	if i+1 < len(s) && s[i] == '\'' {
		return contraction(s, i)
	}
	return i
}

// contraction matches `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` at s[i], a quote with
// something behind it, and returns its end. Of the letters only s folds to
// another than its ASCII pair: ſ, U+017F.
func contraction(s []byte, i int) int {
	const caseBit = 'a' - 'A'
	var next byte
	if i+2 < len(s) {
		next = s[i+2] | caseBit
	}
	switch s[i+1] {
	case 's', 't', 'm', 'd', 'S', 'T', 'M', 'D':
		return i + 2
	case 'r', 'v', 'R', 'V':
		if next == 'e' {
			return i + 3
		}
	case 'l', 'L':
		if next == 'l' {
			return i + 3
		}
	case 0xc5:
		if i+2 < len(s) && s[i+2] == 0xbf {
			return i + 3
		}
	}
	return i
}

// digits matches `\p{N}{1,3}`, of which the first is before s[i].
func (c *classes) digits(s []byte, i int) int {
	for n := 1; n < 3 && i < len(s); n++ {
		class, width := c.at(s, i)
		if class != number {
			break
		}
		i += width
	}
	return i
}

// blank matches `\s*[\r\n]+|\s+(?!\S)|\s+` at s[i], which is white space. A run
// ends at its last line break; without any it leaves its last character to
// what follows.
func (c *classes) blank(s []byte, i int) int {
	end, last, broken := i, i, 0
	for end < len(s) {
		class, width := c.at(s, end)
		if class&white == 0 {
			break
		}
		last = end
		end += width
		if class == newline {
			broken = end
		}
	}
	switch {
	case broken > 0:
		return broken
	case end < len(s) && last > i:
		return last
	}
	return end
}
