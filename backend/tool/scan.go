package tool

// maxExponentDigits bounds an exponent: a float64 ends at 308, and exact
// arithmetic on 1e1000000 costs a megabyte a number.
const maxExponentDigits = 3

// summary is what one pass over a JSON text tells before it is parsed.
type summary struct {
	depth      int // deepest nesting of objects and arrays
	hugeNumber bool
}

// scan looks at the brackets and numbers of a JSON text. It trusts nothing and
// never fails; that the text is valid is the parser's to say.
func scan(raw []byte) summary {
	var out summary
	level, digits := 0, -1 // digits of the exponent under the cursor, -1 outside
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if inString {
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
			continue
		}
		switch {
		case c == '"':
			inString, digits = true, -1
		case c == '{' || c == '[':
			level++
			out.depth, digits = max(out.depth, level), -1
		case c == '}' || c == ']':
			level--
			digits = -1
		case c == 'E' || c == 'e': // of a number, or of true and false, which no digit follows
			digits = 0
		case digits >= 0 && (c == '+' || c == '-' || c == '0' && digits == 0):
		case digits >= 0 && c >= '0' && c <= '9':
			digits++
			out.hugeNumber = out.hugeNumber || digits > maxExponentDigits
		default:
			digits = -1
		}
	}
	return out
}
