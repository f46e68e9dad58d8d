package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNotAList is returned by Parse for a body that holds no tools/list result:
// a JSON-RPC error, another result, a list that is no array, or bytes that are
// no JSON. It is evidence of nothing.
var ErrNotAList = errors.New("not a tools/list result")

// Parse reads the whole body of one served response: one JSON-RPC message, a
// batch of them, or server-sent events with such messages in their data lines.
// The first message with a result that has a tools array is the list; others
// (notifications, progress) are passed over.
//
// presented is what this same request presented, keyed by served name. A name
// that it lacks gets no canonical name and the empty Source.
//
// An element of the array that is no object, or whose name is missing, empty
// or no string, is counted as unnamed. Of duplicate members the last one holds,
// as for every JSON reader that an agent is likely to use. Tools with equal
// names all stay. The error is ErrNotAList, wrapped without any served text.
func Parse(served []byte, presented map[string]Provenance) (List, error) {
	if isJSON(served) {
		compact, err := Compact(served)
		if err != nil {
			return List{}, fmt.Errorf("%w: %w", ErrNotAList, err)
		}
		if tools, ok := findTools(compact); ok {
			return newList(tools, presented), nil
		}
		return List{}, ErrNotAList
	}
	for data := range eventData(served) {
		compact, err := Compact(data)
		if err != nil {
			continue // not the message that is looked for
		}
		if tools, ok := findTools(compact); ok {
			return newList(tools, presented), nil
		}
	}
	return List{}, ErrNotAList
}

// findTools returns the tools array of a compact message or batch.
func findTools(message []byte) ([]byte, bool) {
	for element := range elements(message) {
		if tools, ok := toolsOf(element); ok {
			return tools, true
		}
	}
	return toolsOf(message)
}

func toolsOf(message []byte) ([]byte, bool) {
	tools := member(member(message, "result"), "tools")
	return tools, len(tools) > 0 && tools[0] == '['
}

func newList(tools []byte, presented map[string]Provenance) List {
	var l List
	for definition := range elements(tools) {
		t := tool{definition: definition}
		for key, value := range members(definition) {
			switch key {
			case "name":
				t.name = value
			case "description":
				t.description = value
			case "inputSchema":
				t.schema = value
			}
		}
		t.served, _ = text(t.name)
		if t.served == "" {
			l.unnamed++
			continue
		}
		t.provenance = presented[t.served]
		l.tools = append(l.tools, t)
	}
	return l
}

// text decodes a JSON string into valid UTF-8: bytes that are not UTF-8 and
// escapes of lone surrogates become U+FFFD. ok is false for any other value.
func text(value []byte) (s string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return s, json.Unmarshal(value, &s) == nil
}
