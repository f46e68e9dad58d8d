package catalog

// text copies a string. An escape is read as a whole, so the backslash of `\\`
// never joins a following u003c.
func (c *compactor) text() bool {
	c.copy(1)
	for c.pos < len(c.src) {
		start := c.pos
		for c.pos < len(c.src) && plain(c.src[c.pos]) {
			c.pos++
		}
		c.out = append(c.out, c.src[start:c.pos]...)
		if c.pos == len(c.src) {
			return false
		}
		switch c.src[c.pos] {
		case '"':
			c.copy(1)
			return true
		case '\\':
			if !c.escape() {
				return false
			}
		default: // a raw control character
			return false
		}
	}
	return false
}

func plain(b byte) bool { return b >= ' ' && b != '"' && b != '\\' }

func (c *compactor) escape() bool {
	rest := c.src[c.pos:]
	if len(rest) < 2 {
		return false
	}
	switch rest[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.copy(2)
		return true
	case 'u':
	default:
		return false
	}
	if len(rest) < 6 {
		return false
	}
	for _, b := range rest[2:6] {
		if !isHex(b) {
			return false
		}
	}
	if b, ok := markup(rest[2:6]); ok {
		c.out = append(c.out, b)
		c.pos += 6
		return true
	}
	c.copy(6)
	return true
}

// markup is the character behind the escapes that Go's encoder adds for HTML.
func markup(hex []byte) (byte, bool) {
	switch string(hex) {
	case "003c", "003C":
		return '<', true
	case "003e", "003E":
		return '>', true
	case "0026":
		return '&', true
	}
	return 0, false
}

func isHex(b byte) bool {
	return isDigit(b) || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// number copies a number in its own spelling: -? int frac? exp?
func (c *compactor) number() bool {
	i := c.pos
	at := func() byte {
		if i < len(c.src) {
			return c.src[i]
		}
		return 0
	}
	digits := func() bool {
		start := i
		for isDigit(at()) {
			i++
		}
		return i > start
	}
	if at() == '-' {
		i++
	}
	if at() == '0' {
		i++
	} else if !digits() {
		return false
	}
	if at() == '.' {
		if i++; !digits() {
			return false
		}
	}
	if at() == 'e' || at() == 'E' {
		if i++; at() == '+' || at() == '-' {
			i++
		}
		if !digits() {
			return false
		}
	}
	c.copy(i - c.pos)
	return true
}
