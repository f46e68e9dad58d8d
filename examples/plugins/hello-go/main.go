// Command hello is a plugin: one tool, written in Go without any library.
// README.md says how it is tested, packed and tried.
package main

import "encoding/json"

const description = `{"tools":[{
  "name": "hello",
  "description": "Greets somebody by name.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "description": "Who is greeted"}},
    "required": ["name"]
  }
}]}`

// describe says which tools there are. It is called once after the module was
// loaded, without input, configuration or network.
//
//go:wasmexport describe
func describe() int32 { return output(description) }

// text and result are MCP's form of an answer.
type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type result struct {
	Content []text `json:"content"`
}

// call runs one tool. Its arguments were checked against the schema.
//
//go:wasmexport call
func call() int32 {
	var request struct {
		Params struct {
			Name      string `json:"name"`
			Arguments struct {
				Name string `json:"name"`
			} `json:"arguments"`
		} `json:"params"`
	}
	if err := json.Unmarshal(input(), &request); err != nil {
		return fail("the request is not valid JSON")
	}
	if request.Params.Name != "hello" {
		return fail("there is no tool " + request.Params.Name)
	}
	greeting := config("greeting")
	if greeting == "" {
		greeting = "Hello"
	}
	var answer result
	answer.Content = []text{{"text", greeting + ", " + request.Params.Arguments.Name + "!"}}
	out, err := json.Marshal(answer)
	if err != nil {
		return fail("the answer cannot be written")
	}
	return output(string(out))
}

func main() {} // never called: a reactor only offers its exports
