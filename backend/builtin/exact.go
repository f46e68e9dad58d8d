package builtin

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ours are the characters of the argument names of our tools.
const ours = "abcdefghijklmnopqrstuvwxyz0123456789_"

// exactly is checked arguments in a form that encoding/json reads as the schema
// did. By itself it takes a member whatever the case of its name, and lets one
// that comes twice add to the first: both would pass the check and come to a
// handler unchecked.
func exactly(raw json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(onlyOurs(v))
}

// onlyOurs leaves out the members that no argument of ours is named like.
func onlyOurs(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			if strings.Trim(name, ours) != "" {
				delete(v, name)
			} else {
				v[name] = onlyOurs(child)
			}
		}
	case []any:
		for i := range v {
			v[i] = onlyOurs(v[i])
		}
	}
	return v
}
