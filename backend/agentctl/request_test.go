package agentctl

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"kandev/backend/acp"
	"kandev/backend/agent"
)

func TestDecodeRefuses(t *testing.T) {
	good, err := CreateInstanceRequest{Session: "s", Execution: "x", WorkDir: "w", Command: []string{"c"}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(good); err != nil {
		t.Errorf("a good request: %v", err)
	}
	for name, bad := range map[string]string{
		"an unknown field":      strings.Replace(string(good), `"session"`, `"extra":1,"session"`, 1),
		"an unknown capability": strings.Replace(string(good), `"defers_tools"`, `"defers"`, 1),
		"two values":            string(good) + string(good),
		"no session":            strings.Replace(string(good), `"session":"s"`, `"session":""`, 1),
		"no command":            strings.Replace(string(good), `["c"]`, `[]`, 1),
		"not an object":         `[]`,
		"nothing":               ``,
	} {
		if _, err := Decode([]byte(bad)); !errors.Is(err, ErrRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefusal(t *testing.T) {
	all := acp.MCPCapabilities{HTTP: true, SSE: true, Given: true}
	for _, c := range []struct {
		server agent.Server
		caps   agent.Capabilities
		mcp    acp.MCPCapabilities
		want   string
	}{
		{agent.Server{Name: "x", Transport: "stdio"}, agent.Capabilities{}, acp.MCPCapabilities{}, ""},
		{agent.Server{Name: "x", Transport: "http"}, agent.Capabilities{}, all, ""},
		{agent.Server{Name: "x", Transport: "http"}, agent.Capabilities{}, acp.MCPCapabilities{}, "agent_takes_no_http"},
		{agent.Server{Name: "x", Transport: "http"}, agent.Capabilities{AssumeHTTP: true}, acp.MCPCapabilities{}, ""},
		{agent.Server{Name: "x", Transport: "sse"}, agent.Capabilities{}, acp.MCPCapabilities{HTTP: true}, "agent_takes_no_sse"},
		{agent.Server{Name: "x", Transport: "ws"}, agent.Capabilities{}, all, "unknown_transport"},
		{agent.Server{Name: "x", Transport: "stdio"}, agent.Capabilities{IgnoresMCPServers: true}, all, "agent_ignores_servers"},
		{agent.Server{Name: "x", Transport: "stdio"}, agent.Capabilities{IgnoresStdio: true}, all, "agent_takes_no_stdio"},
		{agent.Server{Name: "x", Transport: "http"}, agent.Capabilities{IgnoresStdio: true}, all, ""},
		{agent.Server{Name: "kandev", Transport: "http"}, agent.Capabilities{}, all, "reserved_name"},
		{agent.Server{Name: "kan\u00a0dev\u200b", Transport: "http"}, agent.Capabilities{}, all, "reserved_name"},
		{agent.Server{Name: " Kandev ", Transport: "stdio"}, agent.Capabilities{}, all, "reserved_name"},
	} {
		if got, _ := refusal(c.server, c.caps, c.mcp); got != c.want {
			t.Errorf("%+v with %+v: %q, want %q", c.server, c.mcp, got, c.want)
		}
	}
}

// TestEveryFieldTravels fills every field with a value of its own and finds
// each on the other side.
func TestEveryFieldTravels(t *testing.T) {
	var r CreateInstanceRequest
	n := 0
	fill(t, reflect.ValueOf(&r).Elem(), &n)
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, r) {
		t.Errorf("sent %+v\ngot  %+v", r, got)
	}
	if n < 40 {
		t.Errorf("only %d values were filled", n)
	}
}

func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, n)
		fill(t, value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(t, field, n)
		}
	default:
		t.Fatalf("no filler for %s: add one", v.Type())
	}
}
