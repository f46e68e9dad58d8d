package app

// AskedServer is one of the person's servers whose values are not stored.
type AskedServer struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Headers []string `json:"headers"` // names
	Env     []string `json:"env"`     // names
}

// TypedValue is what the person typed for one of them; it is never stored.
type TypedValue struct {
	Server string `json:"server"` // its id
	Header bool   `json:"header"` // else a variable
	Name   string `json:"name"`
	Value  string `json:"value"`
}
