package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Version is the ACP protocol version this package speaks.
const Version = 1

// Implementation is what a side says it is.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// InitializeRequest is what we say of ourselves. Capabilities are not the
// caller's to choose: files and terminals are offered when Options answer for
// them.
type InitializeRequest struct{ Client Implementation }

// Initialized is what the agent says of itself.
type Initialized struct {
	Agent           Implementation // empty fields when not told
	MCP             MCPCapabilities
	LoadSession     bool // session/load
	ResumeSession   bool // session/resume
	Image           bool // takes images in prompts
	EmbeddedContext bool // takes resources in prompts
	AuthMethods     []AuthMethod
	Raw             json.RawMessage
}

// MCPCapabilities is what an agent advertises for the servers of session/new.
// A capability that is not a boolean counts as not given.
type MCPCapabilities struct {
	HTTP, SSE bool
	Given     bool // the agent sent an object; false for none and for another type
}

// AuthMethod is one way to log in that the agent offers.
type AuthMethod struct {
	ID          string
	Name        string
	Description string
	Type        string   // "agent" when not told, "terminal", "env_var", or as sent; "unknown" when its words cannot be used
	Args        []string // terminal: what the agent's own command is run with to log in
	Vars        []string // env_var: names of the variables that it reads (of the unstable schema)
}

type fsCapabilities struct {
	Read  bool `json:"readTextFile"`
	Write bool `json:"writeTextFile"`
}

type clientCapabilities struct {
	FS       fsCapabilities   `json:"fs"`
	Terminal bool             `json:"terminal"`
	Auth     authCapabilities `json:"auth"`
}

// authCapabilities: methods of type "terminal" are shown as a command to copy,
// and some agents name them only to a client that says so.
type authCapabilities struct {
	Terminal bool `json:"terminal"`
}

type initializeParams struct {
	Version      int                `json:"protocolVersion"`
	Capabilities clientCapabilities `json:"clientCapabilities"`
	Client       Implementation     `json:"clientInfo"`
}

// Initialize negotiates the version, within Limits.Initialize. An agent of
// another version gives ErrProtocol with a sentence to show; nothing more can
// be asked of it then.
func (c *Conn) Initialize(ctx context.Context, r InitializeRequest) (Initialized, error) {
	params := initializeParams{Version: Version, Client: r.Client}
	params.Capabilities.Auth.Terminal = true
	params.Capabilities.FS = fsCapabilities{Read: c.o.ReadFile != nil, Write: c.o.WriteFile != nil}
	params.Capabilities.Terminal = c.o.Terminals.Create != nil
	raw, err := c.roundTrip(ctx, c.o.Limits.Initialize, "initialize", params)
	if err != nil {
		return Initialized{}, versionError(err)
	}
	o := parseObject(raw)
	if o == nil {
		return Initialized{}, fmt.Errorf("initialize: %w", ErrAnswer)
	}
	if err := checkVersion(o["protocolVersion"]); err != nil {
		return Initialized{}, err
	}
	return decodeInitialized(raw, o), nil
}

func decodeInitialized(raw json.RawMessage, o object) Initialized {
	info := parseObject(o["agentInfo"])
	caps := parseObject(o["agentCapabilities"])
	mcp := parseObject(caps["mcpCapabilities"])
	prompt := parseObject(caps["promptCapabilities"])
	in := Initialized{
		Agent: Implementation{Name: info.text("name"), Title: info.text("title"), Version: info.text("version")},
		MCP:   MCPCapabilities{Given: mcp != nil},
		Raw:   raw,
	}
	in.MCP.HTTP, _ = mcp.flag("http")
	in.MCP.SSE, _ = mcp.flag("sse")
	in.LoadSession, _ = caps.flag("loadSession")
	in.ResumeSession = parseObject(parseObject(caps["sessionCapabilities"])["resume"]) != nil
	in.Image, _ = prompt.flag("image")
	in.EmbeddedContext, _ = prompt.flag("embeddedContext")
	for _, item := range o.list("authMethods") {
		m := parseObject(item)
		if id := m.text("id"); id != "" && len(id) <= maxID && len(in.AuthMethods) < maxChoices {
			in.AuthMethods = append(in.AuthMethods, decodeAuthMethod(id, m))
		}
	}
	return in
}

// decodeAuthMethod reads one way to log in. A command that would lack some of
// its words is another command, so such a method is of no known kind.
func decodeAuthMethod(id string, o object) AuthMethod {
	m := AuthMethod{ID: id, Name: o.label("name"), Description: o.label("description"), Type: o.label("type")}
	if m.Type == "" {
		m.Type = "agent"
	}
	words := o.list("args")
	for _, raw := range words {
		arg, ok := stringOf(raw)
		if len(words) > maxChoices || !ok || len(arg) > maxID {
			m.Args, m.Type = nil, "unknown"
			break
		}
		m.Args = append(m.Args, arg)
	}
	if name := o.label("varName"); name != "" {
		m.Vars = append(m.Vars, name)
	}
	for _, raw := range o.list("vars") {
		if name := parseObject(raw).label("name"); name != "" && len(m.Vars) < maxChoices {
			m.Vars = append(m.Vars, name)
		}
	}
	return m
}

// checkVersion accepts the number 1 and nothing else.
func checkVersion(raw json.RawMessage) error {
	var n float64
	switch {
	case isNull(raw):
		return fmt.Errorf("%w: agent does not say which ACP version it speaks, Kandev supports v%d", ErrProtocol, Version)
	case json.Unmarshal(raw, &n) != nil:
		return fmt.Errorf("%w: agent gives its ACP version in a form that is not a number, Kandev supports v%d", ErrProtocol, Version)
	case n != Version:
		return otherVersion(n)
	}
	return nil
}

func otherVersion(n float64) error {
	return fmt.Errorf("%w: agent speaks ACP v%s, Kandev supports v%d", ErrProtocol, strconv.FormatFloat(n, 'g', -1, 64), Version)
}

// versionError turns the error answer of an agent that speaks only newer
// versions (code -32022, data.supported) into ErrProtocol.
func versionError(err error) error {
	e, ok := asError(err)
	if !ok || e.Code != CodeVersion {
		return err
	}
	best := math.Inf(-1)
	for _, item := range parseObject(e.Data).list("supported") {
		var n float64
		if json.Unmarshal(item, &n) == nil {
			best = max(best, n)
		}
	}
	if math.IsInf(best, 0) {
		return fmt.Errorf("%w: agent does not speak ACP v%d", ErrProtocol, Version)
	}
	return otherVersion(best)
}

// Authenticate asks the agent to log in by one of its methods, within
// Limits.Authenticate.
func (c *Conn) Authenticate(ctx context.Context, methodID string) error {
	params := struct {
		Method string `json:"methodId"`
	}{methodID}
	_, err := c.roundTrip(ctx, c.o.Limits.Authenticate, "authenticate", params)
	return err
}

// IsAuthRequired reports whether the agent refused because nobody is logged in.
func IsAuthRequired(err error) bool {
	e, ok := asError(err)
	return ok && e.Code == CodeAuthRequired
}
