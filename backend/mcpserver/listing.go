package mcpserver

import "kandev/backend/tool"

// Listing is the JSON of {"result":{"tools":[…]}} as an endpoint serves a set:
// what tools cost is counted over these bytes, also before a client asked.
func Listing(set *tool.Set) []byte {
	return append(append([]byte(`{"result":`), render(set, false).result...), "}}"...)
}
