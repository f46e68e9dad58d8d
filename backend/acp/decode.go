package acp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// object is a JSON object read one member at a time, so that one member of a
// wrong type costs only itself. Names match exactly, unlike struct decoding.
type object map[string]json.RawMessage

// parseObject is nil when raw is no object.
func parseObject(raw json.RawMessage) object {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return nil
	}
	var o object
	if json.Unmarshal(trimmed, &o) != nil {
		return nil
	}
	return o
}

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

func stringOf(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// raw is nil for a member that is absent or null.
func (o object) raw(key string) json.RawMessage {
	if isNull(o[key]) {
		return nil
	}
	return o[key]
}

// text is "" for a member that is no string.
func (o object) text(key string) string {
	s, _ := stringOf(o[key])
	return s
}

// optional is nil for a member that is no string.
func (o object) optional(key string) *string {
	if s, ok := stringOf(o[key]); ok {
		return &s
	}
	return nil
}

// id reads an identifier that is only compared: a string, or a number as it was
// written. One that is very long becomes its hash, since it is kept and stored.
func (o object) id(key string) string {
	id, ok := stringOf(o[key])
	if !ok {
		var n json.Number
		if json.Unmarshal(o[key], &n) != nil {
			return ""
		}
		id = n.String()
	}
	if len(id) > maxID {
		sum := sha256.Sum256([]byte(id))
		return "sha256:" + hex.EncodeToString(sum[:])
	}
	return id
}

// label reads a text that is shown, cut to what is worth showing.
func (o object) label(key string) string { return cut(o.text(key), maxID) }

// flag reports a boolean and whether the member is one.
func (o object) flag(key string) (value, ok bool) {
	switch string(bytes.TrimSpace(o[key])) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// list returns an array's elements; anything else that is not null counts as
// its own only element. nil means absent.
func (o object) list(key string) []json.RawMessage {
	raw := o.raw(key)
	if raw == nil {
		return nil
	}
	items := []json.RawMessage{}
	if bytes.TrimSpace(raw)[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return []json.RawMessage{raw}
	}
	return items
}

// number is false for a member that is not a non-negative whole number.
func (o object) number(key string) (uint64, bool) {
	var f float64
	if isNull(o[key]) || json.Unmarshal(o[key], &f) != nil || f < 0 || f > 1<<53 || f != float64(uint64(f)) {
		return 0, false
	}
	return uint64(f), true
}
