package toolbench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverConfig is one entry of mcpServers in session/new. Without a type it is a stdio server.
type serverConfig struct {
	Type    string      `json:"type"`
	Name    string      `json:"name"`
	URL     string      `json:"url"`
	Headers []nameValue `json:"headers"`
	Command string      `json:"command"`
	Args    []string    `json:"args"`
	Env     []nameValue `json:"env"`
}

type nameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// server is one connected MCP server.
type server struct {
	name    string
	session *session
	life    context.Context // every request and stream of this server
	end     context.CancelFunc
	link    *link // nil for stdio
	client  *mcp.ClientSession
	changed chan struct{} // capacity 1: many notifications, one list

	tools []*mcp.Tool // guarded by session.mu
}

// decodeServers never fails: an entry that cannot be read keeps an empty type and becomes a message. Names are made
// unique, because SERVER/TOOL must mean one tool.
func decodeServers(raw []json.RawMessage) []serverConfig {
	configs := make([]serverConfig, 0, len(raw))
	used := map[string]bool{}
	for i, r := range raw {
		var c serverConfig
		if err := json.Unmarshal(r, &c); err != nil {
			c = serverConfig{Type: "unreadable", Name: c.Name}
		}
		if strings.TrimSpace(c.Name) == "" {
			c.Name = fmt.Sprintf("server-%d", i+1)
		}
		name := c.Name
		for n := 2; used[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s-%d", name, n)
		}
		used[c.Name] = true
		configs = append(configs, c)
	}
	return configs
}

// connect connects to all servers at once and returns a message for each that failed, in their order.
func (s *session) connect(ctx context.Context, configs []serverConfig, cwd string) (notices []string) {
	servers := make([]*server, len(configs))
	failures := make([]string, len(configs))
	var all sync.WaitGroup
	for i, c := range configs {
		all.Go(func() { servers[i], failures[i] = s.connectOne(ctx, c, cwd) })
	}
	all.Wait()
	for i, srv := range servers {
		if failures[i] != "" {
			notices = append(notices, literal(configs[i].Name)+": "+failures[i])
		}
		if srv != nil {
			s.mu.Lock()
			s.servers = append(s.servers, srv)
			s.mu.Unlock()
		}
	}
	// Only now: a server that is lost at once must be found in the list.
	for _, srv := range servers {
		if srv != nil {
			s.work.Go(srv.watch)
			s.work.Go(srv.wait)
		}
	}
	return notices
}

// connectOne connects and lists within connectLimit. A server that connects but cannot list is kept without tools.
func (s *session) connectOne(ctx context.Context, c serverConfig, cwd string) (*server, string) {
	srv := &server{name: c.Name, session: s, changed: make(chan struct{}, 1)}
	srv.life, srv.end = context.WithCancel(s.agent.life)
	transport, err := srv.transport(c, cwd)
	if err != nil {
		srv.end()
		return nil, "could not connect: " + err.Error() + "."
	}
	deadline, cancel := context.WithTimeout(ctx, s.agent.connect)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()

	client, err := srv.dial(deadline, transport)
	if err != nil {
		why := srv.reason(err)
		srv.end()
		return nil, "could not connect: " + why + "."
	}
	srv.client = client
	tools, err := srv.list(deadline)
	if err != nil {
		return srv, "could not list its tools: " + srv.reason(err) + "."
	}
	s.mu.Lock()
	srv.tools = tools
	s.mu.Unlock()
	return srv, ""
}

// dial gives up at the deadline. The library's Connect runs on the server's life instead, because an SSE stream lives
// as long as the context it was connected with; it is ended here when it comes too late.
func (srv *server) dial(deadline context.Context, transport mcp.Transport) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "toolbench", Title: "Toolbench", Version: srv.session.agent.version},
		&mcp.ClientOptions{
			Capabilities:                &mcp.ClientCapabilities{}, // no roots, no sampling, no elicitation
			ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { srv.noteChanged() },
			ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { srv.session.progress(r.Params) },
		})
	type outcome struct {
		client *mcp.ClientSession
		err    error
	}
	result := make(chan outcome)
	late := make(chan struct{})
	started := srv.session.agent.dial(func() {
		client, err := client.Connect(srv.life, transport, nil)
		select {
		case result <- outcome{client, err}:
		case <-late:
			if client != nil {
				_ = client.Close()
			}
		}
	})
	if !started {
		return nil, context.Canceled
	}
	select {
	case o := <-result:
		return o.client, o.err
	case <-deadline.Done():
		close(late)
		srv.end()
		return nil, context.Cause(deadline)
	}
}

// close ends the MCP session: DELETE over HTTP, end of input for a process.
func (srv *server) close() {
	_ = srv.client.Close() // there is nobody to tell, and nothing to do about it
	srv.end()
}

// told is ready when the next notifications/cancelled was delivered over HTTP; nil for stdio, where a pipe keeps order.
func (srv *server) told() <-chan struct{} {
	if srv.link == nil {
		return nil
	}
	select { // of an earlier one
	case <-srv.link.told:
	default:
	}
	return srv.link.told
}

// wait tells the person when the connection is lost, and takes the tools away: they could not be called.
func (srv *server) wait() {
	_ = srv.client.Wait()
	s := srv.session
	if s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	srv.tools = nil
	s.mu.Unlock()
	select {
	case <-s.announced:
		s.say(s.ctx, literal(srv.name)+": the connection was lost. Its tools are gone until the session is started again.\n\n")
		s.publish()
	case <-s.ctx.Done():
	}
}
