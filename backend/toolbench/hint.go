package toolbench

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// hintLimit is how many characters of arguments a hint names before it ends with an ellipsis.
const hintLimit = 80

// hint describes a tool's arguments in one line, the required ones first: `{"title": string, "limit"?: integer, …}`.
// It is "" for a tool without arguments. It looks one level deep, so no schema can make it loop; a schema that is no
// object gives a general hint.
func hint(schema any) string {
	root, ok := schema.(map[string]any)
	if !ok {
		return "JSON arguments"
	}
	properties, _ := root["properties"].(map[string]any)
	names := required(root)
	optional := len(names)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		for _, keyword := range []string{"$ref", "anyOf", "oneOf", "allOf", "patternProperties", "if"} {
			if _, ok := root[keyword]; ok {
				return "JSON arguments"
			}
		}
		return ""
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range names {
		mark := ""
		if i >= optional {
			mark = "?"
		}
		part := quoted(name) + mark + ": " + typeName(properties[name])
		if i > 0 {
			b.WriteString(", ")
			if b.Len()+len(part) > hintLimit {
				b.WriteString("…")
				break
			}
		}
		b.WriteString(part)
	}
	return b.String() + "}"
}

// required is the list of required names in its own order, each once.
func required(root map[string]any) []string {
	var names []string
	list, _ := root["required"].([]any)
	for _, v := range list {
		if name, ok := v.(string); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func quoted(name string) string {
	b, err := json.Marshal(cut(plain(name), 60))
	if err != nil {
		return `""`
	}
	return string(b)
}

// typeName is the type of one argument in a word or two.
func typeName(schema any) string {
	s, ok := schema.(map[string]any)
	if !ok {
		return "any"
	}
	switch t := s["type"].(type) {
	case string:
		if t == "array" {
			if items, ok := s["items"].(map[string]any); ok {
				if item, ok := items["type"].(string); ok {
					return cut(plain(item), 20) + "[]"
				}
			}
		}
		return cut(plain(t), 20)
	case []any:
		var words []string
		for _, v := range t {
			if word, ok := v.(string); ok {
				words = append(words, cut(plain(word), 20))
			}
		}
		if len(words) > 0 {
			return cut(strings.Join(words, " | "), 40)
		}
	}
	return "any"
}
