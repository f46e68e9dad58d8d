package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// MaxImport bounds what is pasted, in bytes.
const MaxImport = 1 << 20

// ErrImport says that pasted text is no configuration of servers. No byte of it
// is in the error: it holds values.
var ErrImport = errors.New("no MCP servers were found in this text")

// Imported is what one entry of another product's configuration says. It was
// not checked yet.
type Imported struct {
	Server  OwnServer // without ids
	Env     []Value
	Headers []Value
	Notes   []string // what was not taken over, and what was assumed
}

// ParseServers reads a configuration as other products write it: an object
// under mcpServers (Claude, Cursor, Gemini, Windsurf), servers or mcp.servers
// (VS Code), mcp (OpenCode), context_servers (Zed), or the entries alone.
// Comments and trailing commas are taken. Nothing is expanded. others are the
// keys beside the servers, which Kandev does not read.
func ParseServers(text []byte) (servers []Imported, others []string, err error) {
	if len(text) > MaxImport {
		return nil, nil, fmt.Errorf("%w: it is longer than 1 MiB", ErrImport)
	}
	root, ok := decodeObject(plainJSON(text))
	if !ok {
		return nil, nil, fmt.Errorf("%w: it is no JSON object", ErrImport)
	}
	entries, others := findEntries(root)
	if len(entries) == 0 {
		return nil, nil, ErrImport
	}
	gemini := slices.ContainsFunc(entries, func(m member) bool {
		o, _ := decodeObject(m.value)
		return o.has("httpUrl")
	})
	for _, m := range entries {
		servers = append(servers, importEntry(m, gemini))
	}
	return servers, others, nil
}

// findEntries is where the servers are, and the keys that stand beside them.
func findEntries(root object) (entries []member, others []string) {
	for _, path := range [][]string{{"mcpServers"}, {"servers"}, {"mcp", "servers"}, {"mcp"}, {"context_servers"}} {
		at, ok := root, true
		for _, key := range path {
			if at, ok = decodeObject(at.get(key)); !ok {
				break
			}
		}
		if !ok || !slices.ContainsFunc(at, isObject) {
			continue
		}
		for _, m := range root {
			if m.key != path[0] {
				others = append(others, m.key)
			}
		}
		return at, others
	}
	for _, m := range root {
		o, ok := decodeObject(m.value)
		if ok && (o.has("command") || o.has("url") || o.has("httpUrl") || o.has("serverUrl")) {
			entries = append(entries, m)
		} else {
			others = append(others, m.key)
		}
	}
	return entries, others
}

func isObject(m member) bool { _, ok := decodeObject(m.value); return ok }

// importEntry never fails: what is missing is found when the server is checked.
func importEntry(m member, gemini bool) Imported {
	i := Imported{Server: OwnServer{Name: m.key}}
	o, ok := decodeObject(m.value)
	if !ok {
		i.note("The entry is no object.")
		return i
	}
	kind, address := "", ""
	for _, f := range o {
		switch f.key {
		case "command":
			i.command(f.value)
		case "args":
			i.Server.Args = append(i.Server.Args, i.texts("args", f.value)...)
		case "env", "environment":
			i.Env = append(i.Env, i.values(f)...)
		case "headers":
			i.Headers = append(i.Headers, i.values(f)...)
		case "url", "httpUrl", "serverUrl":
			address = f.key
			i.Server.URL = i.text(f)
		case "type", "transport", "transportType":
			kind = strings.ToLower(i.text(f))
		case "disabled":
			i.Server.Off = string(f.value) == "true"
		case "enabled":
			i.Server.Off = string(f.value) == "false"
		default:
			i.note(fmt.Sprintf("%q is not known here and was left out.", f.key))
		}
	}
	i.Server.Transport = i.transport(kind, address, gemini)
	i.noteVariables()
	return i
}

// transport decides from what the entry says, then from what it has.
func (i *Imported) transport(kind, address string, gemini bool) string {
	switch kind {
	case "stdio", "local":
		return "stdio"
	case "http", "streamable-http", "streamablehttp", "streamable_http":
		return "http"
	case "sse":
		return "sse"
	case "", "remote":
	default:
		return kind // refused by the check, by its name
	}
	switch {
	case i.Server.Command != "":
		return "stdio"
	case address == "url" && gemini: // there httpUrl is HTTP and url is SSE
		return "sse"
	case address == "url" && kind == "":
		i.note("No type is given: HTTP was assumed.")
	}
	return "http"
}

// command takes a string, or a list whose first element it is.
func (i *Imported) command(raw json.RawMessage) {
	if json.Unmarshal(raw, &i.Server.Command) == nil {
		return
	}
	if list := i.texts("command", raw); len(list) > 0 {
		i.Server.Command, i.Server.Args = list[0], append(list[1:], i.Server.Args...)
	}
}

func (i *Imported) text(m member) (s string) {
	if json.Unmarshal(m.value, &s) != nil {
		i.note(fmt.Sprintf("%q is no text and was left out.", m.key))
	}
	return s
}

func (i *Imported) texts(key string, raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		i.note(fmt.Sprintf("%q is no list of texts and was left out.", key))
		return nil
	}
	out := []string{}
	for _, element := range list {
		if text, ok := scalar(element); ok {
			out = append(out, text)
		} else {
			i.note(fmt.Sprintf("An element of %q is no text and was left out.", key))
		}
	}
	return out
}

func (i *Imported) values(m member) (out []Value) {
	o, ok := decodeObject(m.value)
	if !ok {
		i.note(fmt.Sprintf("%q is no object and was left out.", m.key))
		return nil
	}
	for _, f := range o {
		if text, ok := scalar(f.value); ok {
			out = append(out, Value{Name: f.key, Value: text})
		} else {
			i.note(fmt.Sprintf("The value of %s is no text and was left out.", f.key))
		}
	}
	return out
}

func (i *Imported) noteVariables() {
	texts := append([]string{i.Server.URL, i.Server.Command}, i.Server.Args...)
	for _, v := range append(slices.Clone(i.Env), i.Headers...) {
		texts = append(texts, v.Value)
	}
	if slices.ContainsFunc(texts, HasVariable) {
		i.note("${…} was left as it is: Kandev does not expand it, the agent may.")
	}
}

func (i *Imported) note(text string) { i.Notes = append(i.Notes, text) }
