package backend

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend/plugin"
	"kandev/backend/session"
	"kandev/backend/wasm/guests"
)

// echoModule is a servlet with one tool, echo.
func echoModule() []byte { return guests.Of("describe", "call", guests.Echo()).Wasm() }

// moduleFile is a bare module on the disk of a person.
func moduleFile(t testing.TB, name string, module []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".wasm")
	if err := os.WriteFile(path, module, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// packageFile is a .zip with a manifest; change sets members of it.
func packageFile(t testing.TB, id string, module []byte, change map[string]any) string {
	t.Helper()
	sum := sha256.Sum256(module)
	m := map[string]any{
		"manifest_version": 1, "id": id, "name": "Plugin " + id, "version": "1.0.0",
		"wasm": map[string]any{"file": "plugin.wasm", "sha256": hex.EncodeToString(sum[:])},
		"tools": []any{map[string]any{"name": "echo", "description": "Gives back what it gets", "input_schema": map[string]any{
			"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}},
		}}},
	}
	maps.Copy(m, change)
	manifest, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range []struct {
		name string
		data []byte
	}{{"plugin.json", manifest}, {"plugin.wasm", module}} {
		entry, err := w.Create(f.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), id+".zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// install looks at a file and installs it.
func (a *testApp) install(path string) string {
	a.t.Helper()
	seen, err := a.InspectPlugin(a.t.Context(), path)
	if err != nil || len(seen.Problems) > 0 {
		a.t.Fatalf("inspect %s: %v %q", filepath.Base(path), err, seen.Problems)
	}
	id, err := a.InstallPlugin(a.t.Context(), path, seen.Digest)
	if err != nil {
		a.t.Fatalf("install %s: %v", filepath.Base(path), err)
	}
	return id
}

// plugin is what the window is told of one plugin; the zero value when it is gone.
func (a *testApp) plugin(id string) Plugin {
	a.t.Helper()
	all, _, err := a.Plugins(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	for _, p := range all {
		if p.Manifest.ID == id {
			return p
		}
	}
	return Plugin{}
}

// enable grants what is asked.
func (a *testApp) enable(id string) {
	a.t.Helper()
	if err := a.EnablePlugin(a.t.Context(), id, a.plugin(id).Manifest.Permissions.Granted()); err != nil {
		a.t.Fatal(err)
	}
}

// limited are the permissions of a plugin whose calls may take so long.
func limited(d time.Duration) map[string]any {
	return map[string]any{"permissions": map[string]any{"timeout_ms": d.Milliseconds(), "memory_mb": 16}}
}

func (a *testApp) disable(id string) {
	a.t.Helper()
	if err := a.DisablePlugin(a.t.Context(), id); err != nil {
		a.t.Fatal(err)
	}
}

// mcpSession is a client of another library at a session's endpoint.
type mcpSession struct {
	*mcp.ClientSession
	t *testing.T

	mu      sync.Mutex
	changed int // list_changed it was told
}

type bearerOf struct{ bearer string }

func (b bearerOf) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.bearer)
	return http.DefaultTransport.RoundTrip(r)
}

// client connects to the endpoint of a ready session.
func (a *testApp) client(id session.ID) *mcpSession {
	a.t.Helper()
	a.say(id, "endpoint")
	var text []byte
	a.until("the agent's endpoint", func() (ok bool) {
		var err error
		text, err = os.ReadFile(filepath.Join(a.folder(id), "endpoint"))
		return err == nil
	})
	a.inState(id, session.Ready)
	url, bearer, _ := strings.Cut(string(text), " ")
	s := &mcpSession{t: a.t}
	c := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			s.mu.Lock()
			s.changed++
			s.mu.Unlock()
			nudge(a.wake)
		},
	})
	var err error
	s.ClientSession, err = c.Connect(a.t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearerOf{bearer}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (s *mcpSession) told() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// names are the tools of plugins in a fresh list. They stand behind our own.
func (s *mcpSession) names() (out []string) {
	s.t.Helper()
	list, err := s.ListTools(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		switch {
		case strings.HasPrefix(tool.Name, "kandev_"):
			out = append(out, tool.Name)
		case len(out) > 0:
			s.t.Errorf("%s stands behind %s", tool.Name, out[0])
		}
	}
	return out
}

// call is the text of a tool's answer, and whether it is an error.
func (s *mcpSession) call(name string, arguments map[string]any) (text string, failed bool) {
	if arguments == nil {
		arguments = map[string]any{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, r.IsError
}

// healthy asks a built-in tool, a list and the status: none of it minds what a
// plugin does.
func (s *mcpSession) healthy(a *testApp, id session.ID) {
	s.t.Helper()
	if text, failed := s.call("list_tasks_kandev", nil); failed {
		s.t.Errorf("a built-in tool: %s", text)
	}
	if _, err := s.ListTools(s.t.Context(), nil); err != nil {
		s.t.Errorf("the list: %v", err)
	}
	if status := a.builtin(id).Status; status != "active" && status != "connected" {
		s.t.Errorf("the server is %s", status)
	}
}

// TestPluginLife: from a file to a called tool and away again, in a session
// that runs; each change is one list_changed, and the catalog is what was
// served until the client lists again (cases 53 and 118).
func TestPluginLife(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	c := a.client(id)
	if got := c.names(); len(got) != 0 {
		t.Fatalf("tools of nobody: %q", got)
	}
	name := a.install(packageFile(t, "acme.echo", echoModule(), nil))
	if p := a.plugin(name); name != "acme.echo" || p.Status.State != plugin.Installed || len(p.Tools) != 1 || p.Tools[0].Estimate == nil || *p.Tools[0].Estimate < 10 {
		t.Fatalf("%q %+v", name, p)
	}
	if got := c.names(); len(got) != 0 || c.told() != 0 {
		t.Fatalf("installed is not enabled: %q, told %d times", got, c.told())
	}
	a.counted(id)

	a.enable(name)
	a.until("one list_changed", func() bool { return c.told() == 1 })
	a.until("the hint that the tools changed", func() bool { return a.builtin(id).ToolsChanged })
	for _, e := range a.history(id).Current().Servers[0].Catalog.Entries {
		if e.Source.Plugin != "" {
			t.Errorf("%s is in the catalog before anybody listed", e.Served)
		}
	}
	if text, failed := c.call("kandev_acme_echo_echo", map[string]any{"text": "hi"}); failed || !strings.Contains(text, "hi") {
		t.Errorf("a call before the list: %s", text)
	}
	if got := c.names(); !slices.Equal(got, []string{"kandev_acme_echo_echo"}) {
		t.Fatalf("%q", got)
	}
	a.until("the catalog with provenance", func() bool {
		h := a.history(id)
		for _, e := range h.Current().Servers[0].Catalog.Entries {
			s := e.Source
			if e.Served == "kandev_acme_echo_echo" && s.Plugin == "acme.echo" && s.PluginName == "Plugin acme.echo" && s.Tool == "echo" && e.Estimate != nil {
				return true
			}
		}
		return false
	})
	if runs := a.plugin(name).Runs; len(runs) == 0 || runs[0].Tool != "kandev_acme_echo_echo" || runs[0].Outcome != "ok" {
		t.Errorf("%+v", runs)
	}

	a.disable(name)
	a.until("a second list_changed", func() bool { return c.told() == 2 })
	if text, failed := c.call("kandev_acme_echo_echo", nil); !failed || !strings.Contains(text, "not found") {
		t.Errorf("a stale client: %s", text)
	}
	if got := c.names(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	c.healthy(a, id)
	a.enable(name)
	a.quit()

	a = openApp(t, home, fakes)
	if p := a.plugin(name); p.Status.State != plugin.Enabled || p.Grant == nil {
		t.Fatalf("after a restart: %+v", p.Status)
	}
	if err := a.RemovePlugin(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(home, "plugins", "*"))
	if p := a.plugin(name); p.Manifest.ID != "" || len(left) > 0 {
		t.Errorf("%+v, %q", p, left)
	}
}
