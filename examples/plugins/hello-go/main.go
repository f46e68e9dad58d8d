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
	return answer(greeting + ", " + request.Params.Arguments.Name + "!")
}

func main() {} // never called: a reactor only offers its exports
