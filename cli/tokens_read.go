package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"kandev/backend/catalog"
)

// maxDocument bounds what is held at a time: one line, or one document on several lines.
const maxDocument = 64 << 20

const (
	reasonNotJSON = "not JSON"
	reasonTooLong = "longer than 64 MiB"
)

// documents hands each JSON value of in, compact and with the number of its first line, to take: one a line or, at the
// start only, one that stands on several lines. fault is told what is neither. The error is take's, or why in could
// not be read.
func documents(in io.Reader, limit int, take func(line int, value []byte) error, fault func(line int, reason string)) error {
	r := &lineReader{src: bufio.NewReaderSize(in, 64<<10), limit: limit}
	for first := true; ; {
		text, long, last, err := r.next()
		if err != nil {
			return err
		}
		if r.number == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(text)) > 0 || long {
			if failed := one(r, text, long, first, take, fault); failed != nil {
				return failed
			}
			first = false
		}
		if last {
			return nil
		}
	}
}

func one(r *lineReader, text []byte, long, first bool, take func(int, []byte) error, fault func(int, string)) error {
	line := r.number
	if long {
		fault(line, reasonTooLong)
		return nil
	}
	value := compact(text)
	if value == nil && first {
		var err error
		if value, err = r.spread(text); err != nil {
			return err
		}
	}
	if value == nil {
		fault(line, reasonNotJSON)
		return nil
	}
	return take(line, value)
}

// compact is the compact form of one JSON value, or nil.
func compact(text []byte) []byte {
	value, err := catalog.Compact(text)
	if err != nil {
		return nil
	}
	return value
}

// lineReader reads lines of a bounded length, and can go back to lines that it has read ahead.
type lineReader struct {
	src    *bufio.Reader
	limit  int
	number int // of the line that next returned last
}

// next returns a line. long: it is over the limit and was passed over. last: the input ended with it.
func (r *lineReader) next() (text []byte, long, last bool, err error) {
	r.number++
	for {
		part, err := r.src.ReadSlice('\n')
		if !long && len(text)+len(part) > r.limit {
			text, long = nil, true
		}
		if !long {
			text = append(text, part...)
		}
		switch {
		case err == nil:
			return text, long, false, nil
		case errors.Is(err, io.EOF):
			return text, long, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, false, err
		}
	}
}

// spread reads on while the text may be the start of a document on several lines, and returns it compact when it is
// one. Otherwise value is nil and what was read ahead comes again.
func (r *lineReader) spread(text []byte) (value []byte, err error) {
	var s shape
	var ahead []byte
	for open := s.add(text); open && len(text)+len(ahead) <= r.limit; {
		part, err := r.src.ReadSlice('\n')
		ahead = append(ahead, part...)
		open = s.add(part) || errors.Is(err, bufio.ErrBufferFull)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	if s.whole() {
		if value := compact(append(bytes.Clone(text), ahead...)); value != nil {
			r.number += bytes.Count(ahead, []byte("\n"))
			return value, nil
		}
	}
	r.src = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(ahead), r.src), 64<<10)
	return nil, nil
}

// shape follows brackets and strings, without checking the grammar.
type shape struct {
	open    []byte
	inText  bool
	escaped bool
	begun   bool
	refused bool
}

func (s *shape) whole() bool { return s.begun && !s.refused && len(s.open) == 0 }

// add takes the next piece; false: nothing further can belong to this value.
func (s *shape) add(piece []byte) (more bool) {
	for _, b := range piece {
		switch {
		case s.inText && b == '\n': // a string does not go on in the next line
			s.refused = true
		case s.escaped:
			s.escaped = false
		case s.inText:
			s.inText, s.escaped = b != '"', b == '\\'
		case b == '"':
			s.inText = true
		case b == '{' || b == '[':
			s.open, s.begun = append(s.open, b), true
		case b == '}' || b == ']':
			if len(s.open) == 0 || s.open[len(s.open)-1] != b-2 { // '{' is two before '}', '[' before ']'
				s.refused = true
				return false
			}
			s.open = s.open[:len(s.open)-1]
		}
	}
	return !s.refused && len(s.open) > 0
}

var (
	errNoTool   = errors.New("not a tool definition or a list of them")
	errNoName   = errors.New("a tool without a name")
	errRPC      = errors.New("a JSON-RPC error, not a list of tools")
	errDataLine = errors.New(`a record about a tool, not a tool: the definition is the text in its member "json"`)
	errDeep     = errors.New("nested too deeply to read")
)

// definitionsOf finds the tools in one compact value, in the order served. list: they stood in a list. Of equal
// members the last one holds.
func definitionsOf(value []byte) (definitions []json.RawMessage, list bool, err error) {
	if value[0] == '[' {
		if json.Unmarshal(value, &definitions) != nil {
			return nil, false, errDeep
		}
		return definitions, true, nil
	}
	if value[0] != '{' {
		return nil, false, errNoTool
	}
	var top, result map[string]json.RawMessage
	if json.Unmarshal(value, &top) != nil {
		return nil, false, errDeep
	}
	_ = json.Unmarshal(top["result"], &result) // anything else has no member
	for _, tools := range []json.RawMessage{result["tools"], top["tools"]} {
		if len(tools) > 0 && tools[0] == '[' && json.Unmarshal(tools, &definitions) == nil {
			return definitions, true, nil
		}
	}
	switch {
	case top["result"] != nil || top["jsonrpc"] != nil && top["error"] == nil:
		return nil, false, errNoTool
	case top["jsonrpc"] != nil:
		return nil, false, errRPC
	}
	return []json.RawMessage{value}, false, nil
}

// nameOf is the name of one compact definition, or why it is no tool.
func nameOf(definition []byte) (string, error) {
	var members map[string]json.RawMessage
	if definition[0] != '{' || json.Unmarshal(definition, &members) != nil {
		return "", errNoTool
	}
	var name, text string
	if json.Unmarshal(members["json"], &text) == nil && members["inputSchema"] == nil && members["tokens"] != nil {
		return "", errDataLine
	}
	if json.Unmarshal(members["name"], &name) != nil || name == "" {
		return "", errNoName
	}
	return name, nil
}
