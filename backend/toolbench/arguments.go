package toolbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// arguments checks that text is one JSON object and returns it byte for byte ("" means {}). problem is "" or a
// sentence for the person, with the position, counted in characters from 1.
func arguments(text string) (object json.RawMessage, problem string) {
	if text == "" {
		return json.RawMessage("{}"), ""
	}
	var raw json.RawMessage
	err := json.Unmarshal([]byte(text), &raw)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line, column := position(text, syntax)
		return nil, fmt.Sprintf("The arguments are not valid JSON at line %d, column %d: %s.", line, column, syntax.Error())
	case err != nil:
		return nil, "The arguments are not valid JSON."
	case !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")):
		return nil, `The arguments must be one JSON object, such as {"name": "value"}.`
	}
	return raw, ""
}

// position is where reading stopped, as line and column; behind the end when the text ended too early.
func position(text string, err *json.SyntaxError) (line, column int) {
	end := len(text)
	if !strings.HasPrefix(err.Error(), "unexpected end") {
		end = max(0, min(int(err.Offset)-1, len(text))) // Offset counts the wrong byte too
	}
	before := text[:end]
	line = 1 + strings.Count(before, "\n")
	column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return line, column
}

// wrongArguments is the whole answer to arguments that cannot be sent. It gives the person's text back, so that it can
// be copied, corrected and sent again.
func wrongArguments(problem, name, text string) string {
	return problem + " Nothing was called. Your text:\n\n" + fence("", strings.TrimSpace(name+" "+text))
}
