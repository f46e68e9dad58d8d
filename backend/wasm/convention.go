package wasm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kandev/backend/plugin"
	"kandev/backend/tool"
)

// form is how one convention is spoken: the exported functions and what they
// take. What they give is MCP's in both.
type form struct {
	list, call string
	listInput  func(id string) any
	callInput  func(id, name string, arguments json.RawMessage) any
}

// about is hyper-mcp's context of a request; its id is a text, because one of
// its builds refuses a number.
type about struct {
	ID   string         `json:"id"`
	Meta map[string]any `json:"_meta"`
}

type called struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

var forms = map[plugin.ABI]form{
	plugin.ABIServlet: {
		list: "describe", call: "call",
		listInput: func(string) any { return nil },
		callInput: func(_, name string, arguments json.RawMessage) any {
			return map[string]any{"method": "tools/call", "params": called{name, arguments}}
		},
	},
	plugin.ABIHyper: {
		list: "list_tools", call: "call_tool",
		listInput: func(id string) any { return map[string]any{"context": about{id, map[string]any{}}} },
		callInput: func(id, name string, arguments json.RawMessage) any {
			return map[string]any{"request": called{name, arguments}, "context": about{id, map[string]any{}}}
		},
	},
}

// convention tells which form a module speaks. One that a manifest states has
// to be there.
func (e *engine) convention(stated plugin.ABI) (plugin.ABI, error) {
	exports := e.mod.ExportedFunctions()
	for _, abi := range []plugin.ABI{plugin.ABIServlet, plugin.ABIHyper} {
		f := forms[abi]
		if exports[f.list] != nil && exports[f.call] != nil && (stated == plugin.ABIDetect || stated == abi) {
			return abi, nil
		}
	}
	if stated != plugin.ABIDetect {
		return "", fmt.Errorf("it does not export what %s needs: %s and %s", stated, forms[stated].list, forms[stated].call)
	}
	return "", errors.New("it offers no MCP tools: it exports neither describe and call nor list_tools and call_tool")
}

// encode writes JSON as it is meant, without Go's escapes for web pages.
func encode(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// described reads what a module says its tools are.
func described(out []byte) ([]plugin.Tool, *Failure) {
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
			Output      json.RawMessage `json:"outputSchema"`
			Annotations struct {
				ReadOnly    *bool `json:"readOnlyHint"`
				Destructive *bool `json:"destructiveHint"`
				Idempotent  *bool `json:"idempotentHint"`
				OpenWorld   *bool `json:"openWorldHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(bytes.ToValidUTF8(out, []byte("\ufffd")), &list); err != nil {
		return nil, failure(Malformed, "its description of its tools is not the JSON that its convention wants")
	}
	if len(list.Tools) > plugin.MaxTools {
		return nil, failure(Malformed, "it describes %d tools, at most %d are allowed", len(list.Tools), plugin.MaxTools)
	}
	var tools []plugin.Tool
	for _, t := range list.Tools {
		tools = append(tools, plugin.Tool{
			Name: t.Name, Description: t.Description, InputSchema: t.InputSchema,
			Promises: len(t.Output) > 0 && string(t.Output) != "null",
			Annotations: plugin.Hints{
				ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive,
				Idempotent: t.Annotations.Idempotent, OpenWorld: t.Annotations.OpenWorld,
			},
		})
	}
	return tools, nil
}

// content is one item of an MCP result.
type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
	URI      string `json:"uri"`
	Resource struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
		Blob string `json:"blob"`
	} `json:"resource"`
}

// result reads what a module answered. Bytes that are no UTF-8 become U+FFFD;
// what is not text is named, since a result of ours carries text.
func result(out []byte) (tool.Result, *Failure) {
	var r struct {
		Content    []content       `json:"content"`
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	out = bytes.ToValidUTF8(out, []byte("\ufffd"))
	if err := json.Unmarshal(out, &r); err != nil {
		return tool.Result{}, failure(Malformed, "its answer is not the JSON that its convention wants")
	}
	var texts []string
	total := len(r.Structured)
	for _, c := range r.Content {
		texts = append(texts, c.plain())
		if total += len(texts[len(texts)-1]) + 1; total > maxOutput { // what is named, and U+FFFD, is longer than what it stands for
			break
		}
	}
	if total > maxOutput {
		return tool.Result{}, failure(Malformed, "its answer has more than %d bytes when it is written out, at most that many are allowed", maxOutput)
	}
	answer := tool.Result{Text: strings.Join(texts, "\n"), IsError: r.IsError}
	if raw := bytes.TrimSpace(r.Structured); len(raw) > 0 && raw[0] == '{' {
		answer.Structured = json.RawMessage(raw)
		if len(r.Content) == 0 {
			answer.Text = string(raw)
		}
	}
	if answer.Text == "" && answer.Structured == nil && len(r.Content) == 0 {
		return tool.Result{}, failure(Malformed, "its answer holds no content")
	}
	return answer, nil
}

func (c content) plain() string {
	switch {
	case c.Type == "text" || c.Type == "" && c.Text != "":
		return c.Text
	case c.Type == "resource" && c.Resource.Text != "":
		return c.Resource.Text
	case c.Type == "resource" || c.Type == "resource_link":
		return "[resource " + line(cmp.Or(c.Resource.URI, c.URI)) + "]"
	}
	return "[" + line(c.Type) + " " + line(c.MimeType) + ", " + strconv.Itoa(len(c.Data)*3/4) + " bytes, not shown]"
}
