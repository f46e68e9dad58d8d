package agent

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object in the order it was written; of a key that stands
// twice the last one counts.
type object []member

// maxMembers bounds one object: a configuration of servers is small.
const maxMembers = 4096

type member struct {
	key   string
	value json.RawMessage
}

func decodeObject(raw json.RawMessage) (object, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o := object{}
	for d.More() {
		if len(o) == maxMembers {
			return nil, false
		}
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		o = o.with(key, value)
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(raw[d.InputOffset():])) > 0 {
		return nil, false
	}
	return o, true
}

func (o object) with(key string, value json.RawMessage) object {
	for i := range o {
		if o[i].key == key {
			o[i].value = value
			return o
		}
	}
	return append(o, member{key, value})
}

func (o object) get(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func (o object) has(key string) bool { return o.get(key) != nil }

// scalar is a text, or a number or boolean as it is written.
func scalar(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && !bytes.Equal(raw, []byte("null")) {
		return s, true
	}
	switch strings.TrimSpace(string(raw))[0] {
	case '{', '[', 'n':
		return "", false
	}
	return string(raw), true
}

// plainJSON turns the comments and trailing commas that editors allow into
// blanks, outside of strings, and takes off a byte order mark.
func plainJSON(text []byte) []byte {
	text = bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff")))
	comma := -1 // of the last one with nothing but blanks after it
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			comma = -1
			i = endOfString(text, i)
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			i = blank(text, i, "\n")
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			i = blank(text, i, "*/")
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				text[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return text
}

// endOfString is where the string that begins at i ends.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// blank overwrites a comment and is where it ends.
func blank(text []byte, i int, end string) int {
	stop := len(text)
	if n := bytes.Index(text[i+2:], []byte(end)); n >= 0 {
		stop = i + 2 + n + len(end)
	}
	for j := i; j < stop; j++ {
		text[j] = ' '
	}
	return stop - 1
}
