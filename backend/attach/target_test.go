package attach

import "testing"

// TestTarget: of a command stays its base name, of an address scheme, host and port.
func TestTarget(t *testing.T) {
	for _, c := range []struct{ transport, target, want string }{
		{"stdio", "/home/someone/My Tools/server", "server"},
		{"stdio", `C:\Users\Someone B\bin\server.exe`, "server.exe"},
		{"stdio", "npx", "npx"},
		{"stdio", "mytool --password hunter", "mytool"},
		{"stdio", "node server.js hunter2x", "node"},
		{"stdio", "http://odd/name", "name"},
		{"http", "https://u:p@host:8443/x?api_key=sk-123", "https://host:8443"},
		{"sse", "http://127.0.0.1:3/secret", "http://127.0.0.1:3"},
	} {
		h, _ := Reduce(History{}, startOf("a1"))
		h, _ = Reduce(h, Evidence{Kind: Configured, Attempt: "a1", Server: "s", Source: SourcePerson, Transport: c.transport, Target: c.target, At: epoch})
		if got := h.Current().Servers[0].Target; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.transport, c.target, got, c.want)
		}
	}
}
