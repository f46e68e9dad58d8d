package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"kandev/backend/agent"
)

// A fake agent is this test binary with the arguments "fake" and a manner. It
// is written by hand, so that it can do what no library does; what a turn does
// is the text of its prompt.
const (
	mannerPlain    = "plain"         // lists our tools, then answers session/new
	mannerMute     = "mute"          // never answers initialize
	mannerVersion2 = "version2"      // speaks another ACP version
	mannerDies     = "dies"          // exit 127 before anything was said
	mannerRefuses  = "refuses"       // refuses session/new until a file "allow" is in its folder
	mannerSilent   = "silent"        // never answers session/new
	mannerDeaf     = "deaf"          // ignores session/cancel
	mannerStubborn = "stubborn"      // ignores SIGTERM and the end of its stdin
	mannerNoisy    = "noisy"         // talks on stdout between its frames
	mannerEnv      = "env"           // expands variables in headers
	mannerPath     = "path"          // sends no headers
	mannerLogin    = "login"         // wants a login before session/new
	mannerBridge   = "bridge"        // takes stdio servers only
	mannerAmnesic  = "amnesic"       // not embedded, and loads nothing
	mannerLoads    = "loads"         // takes an earlier session up, and repeats it
	mannerForgets  = "forgets"       // says that it could, and refuses
	mannerKeeps    = "keeps"         // loads, and stays with its first address
	mannerStubLog  = "stubbornlogin" // stubborn, and wants a login
	mannerForgEnv  = "forgenv"       // refuses to load, and expands variables
	mannerNames    = "names"         // begins the id of a call with the tool's name
)

// leftByLogin is what an agent that wants a login leaves in its working folder.
const leftByLogin = "left-by-login"

// fakes is the registry of a test: any id "fake-<manner>" is such an agent.
func fakes(o *Options) {
	o.agents = func(id string) (agent.Definition, bool) {
		manner, ok := strings.CutPrefix(id, "fake-")
		d := agent.Definition{ID: id, Name: "Fake", Embedded: true, Args: []string{"fake", manner}}
		d.Capabilities = fakeCapabilities(manner)
		if manner == mannerAmnesic {
			d.Embedded, d.Command = false, os.Args[0]
		}
		if manner == mannerLogin || manner == mannerStubLog {
			d.Login, d.Command = "fake login", "fake"
			d.Credentials = agent.Credentials{Env: []string{"FAKE_KEY"}, Files: []agent.CredentialFile{{Folder: "~/.fake", Name: "login.json"}}, Only: true}
		}
		return d, ok
	}
}

func fakeCapabilities(manner string) agent.Capabilities {
	c := agent.Capabilities{EnvSet: map[string]string{"FAKE_SET": "1"}, ModelName: "mcp__{server}__{tool}"}
	switch manner {
	case mannerLoads, mannerForgets:
		c.NativeLoad = true
	case mannerKeeps:
		c.NativeLoad, c.KeepsFirstAddress = true, true
	case mannerForgEnv:
		c.NativeLoad, c.BearerFrom = true, agent.BearerEnv
	case mannerNames:
		c.NameInCallID = true
	case mannerEnv:
		c.BearerFrom = agent.BearerEnv
	case mannerPath:
		c.BearerFrom = agent.BearerPath
	case mannerBridge:
		c.BearerFrom = agent.BearerBridge
	}
	return c
}

type fakeAgent struct {
	manner  string
	servers []mcpServer // as session/new named them
	in      *bufio.Reader

	answers chan string // what our requests were answered

	mu     sync.Mutex
	cancel context.CancelFunc // of the running turn
	mcp    *mcpClient

	memory     string   // the file of the session's prompts, "" = forgets them
	remembered []string // the prompts of this session
}

type frame struct {
	ID     json.RawMessage           `json:"id"`
	Method string                    `json:"method"`
	Result fakeResult                `json:"result"`
	Error  *struct{ Message string } `json:"error"`
	Params struct {
		Cwd        string      `json:"cwd"`
		SessionID  string      `json:"sessionId"`
		MethodID   string      `json:"methodId"`
		MCPServers []mcpServer `json:"mcpServers"`
		Prompt     []struct{ Text string }
	} `json:"params"`
}

func runFakeAgent(manner string) {
	f := &fakeAgent{manner: manner, in: bufio.NewReader(os.Stdin), answers: make(chan string, 16)}
	fmt.Fprintln(os.Stderr, "fake agent: token sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA in /home/someone/x")
	switch manner {
	case mannerDies:
		os.Exit(127)
	case mannerStubborn, mannerStubLog:
		ignoreTerm()
	}
	for {
		line, err := f.in.ReadBytes('\n')
		if err != nil {
			if manner == mannerStubborn || manner == mannerStubLog {
				select {}
			}
			os.Exit(0)
		}
		var m frame
		if json.Unmarshal(line, &m) == nil {
			f.handle(m)
		}
	}
}

func (f *fakeAgent) handle(m frame) {
	switch m.Method {
	case "":
		switch {
		case m.Error != nil:
			f.answers <- m.Error.Message
		case f.isTerminal(m.ID):
			f.answers <- m.Result.raw
		case m.Result.Content != nil:
			f.answers <- *m.Result.Content
		default:
			f.answers <- m.Result.Outcome.Outcome + ":" + m.Result.Outcome.OptionID
		}
	case "initialize":
		switch f.manner {
		case mannerMute:
		case mannerLogin, mannerStubLog:
			_ = os.WriteFile(leftByLogin, nil, 0o600)
			f.answer(m, `{"protocolVersion":1,"authMethods":[{"id":"key","name":"API key"},{"id":"bad","name":"Bad"},{"id":"term","name":"Terminal","type":"terminal","args":["log in","--now"]},{"id":"odd","type":"odd"},{"id":"vars","name":"Key","type":"env_var","vars":[{"name":"FAKE_KEY"}]},{"id":"hang","name":"Hang"}]}`)
		case mannerVersion2:
			f.answer(m, `{"protocolVersion":2}`)
		default:
			f.answer(m, fmt.Sprintf(`{"protocolVersion":1,"agentInfo":{"name":"fake","version":"9"},"agentCapabilities":{"loadSession":%t}}`, fakeCapabilities(f.manner).NativeLoad))
		}
	case "session/new":
		f.newSession(m)
	case "authenticate":
		if m.Params.MethodID == "hang" {
			return
		}
		if m.Params.MethodID != "key" {
			f.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"wrong key %s"}}`, m.ID, os.Getenv("FAKE_QUOTED"))
			return
		}
		_ = os.WriteFile("loggedin", nil, 0o600)
		f.answer(m, `null`)
	case "session/load":
		f.loadSession(m)
	case "session/prompt":
		ctx, cancel := context.WithCancel(context.Background())
		f.mu.Lock()
		f.cancel = cancel
		f.mu.Unlock()
		go f.turn(ctx, m)
	case "session/cancel":
		if f.manner != mannerDeaf {
			f.mu.Lock()
			f.cancel()
			f.mu.Unlock()
		}
	}
}

func (f *fakeAgent) newSession(m frame) {
	f.servers = m.Params.MCPServers
	switch f.manner {
	case mannerSilent:
		return
	case mannerLogin:
		if _, err := os.Stat("loggedin"); err != nil {
			f.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"auth required"}}`, m.ID)
			return
		}
	case mannerRefuses:
		if _, err := os.Stat("allow"); err != nil {
			f.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no room for https://u:hidden@h/x?api_key=hidden %s"}}`, m.ID, f.told())
			return
		}
	}
	f.mcp = dialMCP(m.Params.MCPServers[0])
	f.mcp.must("tools/list", `{}`)
	f.remembered = nil
	f.answer(m, fmt.Sprintf(`{"sessionId":%q}`, f.newMemory()))
}

// told is the values of the person's servers, as one text without quotes.
func (f *fakeAgent) told() (text string) {
	for _, s := range f.servers[1:] {
		for _, v := range s.Env {
			text += v.Value + " "
		}
	}
	return text
}

// turn does what the prompt says and answers.
func (f *fakeAgent) turn(ctx context.Context, m frame) {
	text := m.Params.Prompt[len(m.Params.Prompt)-1].Text
	verb, rest, _ := strings.Cut(text, " ")
	f.remember(text)
	switch verb {
	case "exit":
		var code int
		_, _ = fmt.Sscan(rest, &code)
		os.Exit(code)
	case "die":
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
	case "hang":
		f.say("hanging")
		<-ctx.Done()
		f.answer(m, `{"stopReason":"cancelled"}`)
		return
	case "stream":
		f.stream(ctx)
	case "permit":
		f.permit(rest)
	case "permitlate": // asks when the turn is over
		f.answer(m, `{"stopReason":"end_turn"}`)
		f.write(`{"jsonrpc":"2.0","id":"l","method":"session/request_permission","params":{"sessionId":"fake-1","toolCall":{"toolCallId":"late"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`)
		f.say("late " + <-f.answers)
		return
	case "flood":
		f.flood(ctx, rest)
	case "refuse": // the turn, with a sentence of its own
		f.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"refused because of %s"}}`, m.ID, rest)
		return
	case "spam": // lines that are no frames
		var n int
		_, _ = fmt.Sscan(rest, &n)
		f.mu.Lock()
		for range n {
			fmt.Println("spamspam")
		}
		f.mu.Unlock()
		f.say("spammed")
	case "file": // a method and its params
		method, params, _ := strings.Cut(rest, " ")
		f.write(`{"jsonrpc":"2.0","id":"f","method":"fs/%s_text_file","params":%s}`, method, params)
		f.say("file " + <-f.answers)
	case "term":
		f.terminals(rest)
	case "permitown":
		f.permitOwn(ctx, rest)
	case "bearer": // into a file, where the test finds it
		_ = os.WriteFile("bearer", []byte(f.mcp.server.bearer()), 0o600)
	case "endpoint": // address and bearer, for a client of the test's own
		_ = os.WriteFile("endpoint.new", []byte(f.mcp.server.URL+" "+f.mcp.server.bearer()), 0o600)
		_ = os.Rename("endpoint.new", "endpoint")
	case "servers": // what it was given of the person's servers, into a file
		_ = os.WriteFile("servers", fmt.Appendf(nil, "%+v", f.servers[1:]), 0o600)
	case "spill": // what it was given of the person's servers
		fmt.Fprintf(os.Stderr, "spilled %+v\n", f.servers[1:])
		os.Exit(1)
	case "shout":
		secret := strings.TrimPrefix(f.mcp.server.Headers[0].Value, "Bearer ")
		fmt.Fprintf(os.Stderr, "shouting\nAuthorization: Bearer %s\n%s\nPOST %s/%s\n", secret, secret, f.mcp.server.URL, secret)
		os.Exit(1)
	case "recall":
		f.say(fmt.Sprintf("recalled %q", f.remembered))
	case "env":
		for _, e := range os.Environ() {
			f.say(e + "\n")
		}
	default:
		f.say(f.mcp.script(ctx, verb, rest))
	}
	f.answer(m, `{"stopReason":"end_turn"}`)
}

// permit asks for permission for n calls at once, of which it only gives the
// ids, and says what was answered.
func (f *fakeAgent) permit(n string) {
	var count int
	_, _ = fmt.Sscan(n, &count)
	for i := range count {
		f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"fake-1","update":{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"Remove %d","kind":"delete","rawInput":{"n":%d}}}}`, i, i, i)
		f.write(`{"jsonrpc":"2.0","id":"p%d","method":"session/request_permission","params":{"sessionId":"fake-1","toolCall":{"toolCallId":"c%d"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}`, i, i)
	}
	var got []string
	for range count {
		got = append(got, <-f.answers)
	}
	slices.Sort(got)
	f.say(fmt.Sprint("answers ", got))
}

// permitOwn asks for one call by what the prompt gives: a title, a name, an
// id's tool that was called over MCP with that id, and the options' kinds.
func (f *fakeAgent) permitOwn(ctx context.Context, rest string) {
	p := struct{ ID, Title, Name, Called, Kind string }{ID: "own"}
	if err := json.Unmarshal([]byte(rest), &p); err != nil {
		panic(err)
	}
	if p.Called != "" {
		_, _ = f.mcp.call(ctx, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":{},"_meta":{"claudecode/toolUseId":"own"}}`, p.Called))
	}
	name := ""
	if p.Name != "" {
		name = fmt.Sprintf(`"name":%q,`, p.Name)
	}
	f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"fake-1","update":{"sessionUpdate":"tool_call","toolCallId":%q,%s"title":%q}}}`, p.ID, name, p.Title)
	f.write(`{"jsonrpc":"2.0","id":"o","method":"session/request_permission","params":{"sessionId":"fake-1","toolCall":{"toolCallId":%q},"options":[{"optionId":"ever","name":"Ever","kind":"allow_always"},{"optionId":"once","name":"Once","kind":%q},{"optionId":"no","name":"No","kind":"reject_once"}]}}`, p.ID, p.Kind)
	f.say("answer " + <-f.answers)
}

// stream talks and lists until it is stopped.
func (f *fakeAgent) stream(ctx context.Context) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		f.say(fmt.Sprintf("word%d ", n))
		if n%10 == 0 {
			f.mcp.must("tools/list", `{}`)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func (f *fakeAgent) say(text string) {
	b, _ := json.Marshal(text)
	f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"fake-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}}}`, b)
}

func (f *fakeAgent) answer(m frame, result string) {
	f.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (f *fakeAgent) write(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.manner == mannerNoisy {
		fmt.Print("\x1b]0;title\x07Loading…\r\n{not json\n\ufeff")
	}
	fmt.Printf(format+"\n", args...)
}
