package toolbench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// host is the ACP client of a test: the SDK's client side as an independent peer of the agent, over pipes.
type host struct {
	acp.Client // the methods this agent never calls: calling one is a nil panic and fails the test
	t          *testing.T
	conn       *acp.ClientSideConnection
	stdin      *io.PipeWriter
	ended      chan error
	session    acp.SessionId

	mu      sync.Mutex
	news    chan struct{} // replaced at every change
	updates []acp.SessionUpdate
	asked   []acp.RequestPermissionRequest
	answer  func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome
	wire    bytes.Buffer
}

type gated struct {
	gate <-chan struct{}
	io.Reader
}

func (g gated) Read(p []byte) (int, error) {
	<-g.gate
	return g.Reader.Read(p)
}

const patience = 10 * time.Second

func (h *host) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n.SessionId == h.session || h.session == "" {
		h.updates = append(h.updates, n.Update)
	}
	h.tell()
	return nil
}

// tell wakes until; mu is held.
func (h *host) tell() {
	close(h.news)
	h.news = make(chan struct{})
}

func (h *host) RequestPermission(ctx context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	h.mu.Lock()
	h.asked = append(h.asked, r)
	answer := h.answer
	h.tell()
	h.mu.Unlock()
	if answer == nil {
		<-ctx.Done()
		return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
	}
	return acp.RequestPermissionResponse{Outcome: answer(r)}, nil
}

// Write records what the agent writes.
func (h *host) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tell()
	return h.wire.Write(p)
}

// startHost runs an agent and initializes it. The end of the test ends the agent and checks every byte it wrote.
func startHost(t *testing.T) *host {
	t.Helper()
	return startHostWith(t, Options{Version: "1.2.3"})
}

func startHostWith(t *testing.T, o Options) *host {
	t.Helper()
	h := &host{t: t, news: make(chan struct{}), ended: make(chan error, 1)}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	h.stdin = inW
	go func() {
		o.In, o.Out = inR, io.MultiWriter(h, outW)
		err := Run(t.Context(), o)
		_ = outW.Close()
		h.ended <- err
	}()
	gate := make(chan struct{}) // SetLogger races with the SDK's reader
	h.conn = acp.NewClientSideConnection(h, inW, gated{gate, outR})
	h.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(gate)
	t.Cleanup(func() {
		h.close()
		h.checkWire()
	})
	if _, err := h.conn.Initialize(t.Context(), acp.InitializeRequest{ProtocolVersion: 1}); err != nil {
		t.Fatal(err)
	}
	return h
}

// close ends the agent's input and waits for its end.
func (h *host) close() {
	h.t.Helper()
	_ = h.stdin.Close()
	select {
	case err := <-h.ended:
		if err != nil {
			h.t.Errorf("Run: %v", err)
		}
		h.ended <- nil
	case <-time.After(patience):
		h.t.Error("Run did not end")
	}
}

func (h *host) checkWire() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for line := range strings.Lines(h.wire.String()) {
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			h.t.Errorf("the output has a line that is not JSON-RPC: %.200q", line)
		}
		if m.Method != "" && bytes.Contains(m.Params, []byte(":null")) {
			h.t.Errorf("null in %.300q", line)
		}
	}
}

// open starts a session with the given servers and waits for its first commands.
func (h *host) open(servers ...acp.McpServer) {
	h.t.Helper()
	if servers == nil {
		servers = []acp.McpServer{}
	}
	r, err := h.conn.NewSession(h.t.Context(), acp.NewSessionRequest{Cwd: h.t.TempDir(), McpServers: servers})
	if err != nil {
		h.t.Fatal(err)
	}
	h.mu.Lock()
	h.session = r.SessionId
	h.mu.Unlock()
	h.until("the first commands", func() bool { return h.commands() != nil })
}

// until waits for a state of what was received; ok is called with mu held.
func (h *host) until(what string, ok func() bool) {
	h.t.Helper()
	deadline := time.After(patience)
	for {
		h.mu.Lock()
		reached, news := ok(), h.news
		h.mu.Unlock()
		if reached {
			return
		}
		select {
		case <-news:
		case <-deadline:
			h.t.Fatalf("%s did not come", what)
		}
	}
}

// commands are the ones published last; mu is held.
func (h *host) commands() map[string]acp.AvailableCommand {
	for _, update := range slices.Backward(h.updates) {
		if u := update.AvailableCommandsUpdate; u != nil {
			byName := map[string]acp.AvailableCommand{}
			for _, c := range u.AvailableCommands {
				byName[c.Name] = c
			}
			return byName
		}
	}
	return nil
}

// mark forgets the updates so far, but keeps the commands.
func (h *host) mark() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.updates = nil
}

// send prompts in the background; the result comes on the channel.
func (h *host) send(blocks ...string) <-chan acp.StopReason {
	done := make(chan acp.StopReason, 1)
	content := []acp.ContentBlock{}
	for _, b := range blocks {
		content = append(content, acp.TextBlock(b))
	}
	go func() {
		r, err := h.conn.Prompt(h.t.Context(), acp.PromptRequest{SessionId: h.session, Prompt: content})
		if err != nil {
			h.t.Errorf("prompt: %v", err)
		}
		done <- r.StopReason
	}()
	return done
}

// prompt runs one turn and returns the text of its messages.
func (h *host) prompt(blocks ...string) string {
	h.t.Helper()
	h.mark()
	if stop := <-h.send(blocks...); stop != acp.StopReasonEndTurn {
		h.t.Fatalf("stop reason %q", stop)
	}
	return h.said()
}

// said joins the messages since mark.
func (h *host) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, u := range h.updates {
		if m := u.AgentMessageChunk; m != nil && m.Content.Text != nil {
			b.WriteString(m.Content.Text.Text)
		}
	}
	return b.String()
}

// toolUpdates are the updates of tool calls since mark: the start, and the statuses with their text.
func (h *host) toolUpdates() (start *acp.SessionUpdateToolCall, statuses []string, last string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, u := range h.updates {
		if u.ToolCall != nil {
			start = u.ToolCall
			statuses = append(statuses, string(start.Status))
		}
		if c := u.ToolCallUpdate; c != nil {
			if c.Status != nil {
				statuses = append(statuses, string(*c.Status))
			}
			last = contentText(c.Content)
		}
	}
	return start, statuses, last
}

func contentText(content []acp.ToolCallContent) string {
	var b strings.Builder
	for _, c := range content {
		if c.Content != nil && c.Content.Content.Text != nil {
			b.WriteString(c.Content.Content.Text.Text)
		}
	}
	return b.String()
}

func choose(id acp.PermissionOptionId) func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
	return func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
		return acp.NewRequestPermissionOutcomeSelected(id)
	}
}

// sendQuietly prompts and does not care for the outcome.
func (h *host) sendQuietly(text string) {
	go func() {
		_, _ = h.conn.Prompt(h.t.Context(), acp.PromptRequest{SessionId: h.session, Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
	}()
}
