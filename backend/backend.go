package backend

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/event"
	"kandev/backend/mcpserver"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/settings"
	"kandev/backend/sqlite"
	"kandev/backend/task"
	"kandev/backend/timelimit"
	"kandev/backend/tokens"
)

// What timelimit.Quit is made of.
const (
	flushLimit = 5 * time.Second
	closeLimit = 2 * time.Second // of the database, after the flush
	stopLimit  = 9 * time.Second // of one agent
)

// Options of a backend. Home and Self are required.
type Options struct {
	Home    string   // the data folder
	Version string   // of this program
	Self    []string // argv prefix of our own binary, for the guard and the embedded agent
	Environ []string // the environment as it was when the app started
	// Keychain lets values of servers go to the system's keychain; without it
	// they go to a private file in the data folder.
	Keychain bool
	// Killed says that this run will be ended without a word, as `make dev` does
	// at every change: then that is no news at the next start.
	Killed bool
	// Send takes events in order, from one goroutine; nil drops them.
	Send func(event.Event)
	Now  func() time.Time // nil = time.Now
	// Log replaces the log file; for tests.
	Log *slog.Logger
	// Estimate and Count replace the tokenizer; NoTokens says it is unavailable.
	Estimate func([]byte) (int, error)
	Count    func(string) int
	NoTokens bool

	// Of tests.
	agents func(id string) (agent.Definition, bool) // nil = agent.ByID
	limits agentctl.Limits                          // zero fields = the product's
	store  sqlite.Options

	questionWait time.Duration // 0 = question.Wait
	versionWait  time.Duration // 0 = timelimit.VersionProbe
	slowStart    time.Duration // 0 = timelimit.StillStarting
	valuesWait   time.Duration // 0 = valuesLimit
}

// Backend is the app without its window. Its methods are safe for concurrent
// use. Open starts it, Close ends it and everything it owns.
type Backend struct {
	o        Options
	log      *slog.Logger
	level    slog.LevelVar
	out      *outlet
	db       *sqlite.DB
	writer   *sqlite.Writer
	mcp      *mcpserver.Server
	secrets  vault
	plugins  *PluginStore
	versions versions        // of installed agents
	logins   logins          // of agents
	release  []func()        // undone in reverse order at Close
	ctx      context.Context // ends when Close begins
	end      context.CancelFunc
	wg       sync.WaitGroup // sessions, the sender
	closing  sync.Once
	gate     sync.Mutex  // orders new work and Close
	closed   bool        // guarded by gate
	aside    string      // name of a database that was set aside
	memory   atomic.Bool // nothing is saved
	waits    bool        // memory stands in for a file that is tried again
	report   string      // about a last run that did not end in order; guarded by mu
	opened   bool        // Open has succeeded

	looks     looks      // at folders of projects
	customs   customs    // the person's own agents
	serversMu sync.Mutex // orders changes of the person's own servers

	mu       sync.Mutex
	projects map[project.ID]project.Project
	tasks    map[task.ID]task.Task
	sessions map[session.ID]*conversation
	settings settings.Settings
	seq      int64 // newest order number of a task or session
	first    session.ID
	shell    loginShell
}

// Open opens the data folder and brings everything back that was stored. A
// database that cannot be opened is no error: the window says so, and what it
// does then lives in memory. HeldError says that another app has the folder.
func Open(ctx context.Context, o Options) (*Backend, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Send == nil {
		o.Send = func(event.Event) {}
	}
	if o.valuesWait == 0 {
		o.valuesWait = valuesLimit
	}
	if o.agents == nil {
		o.agents = agent.ByID
	}
	if o.Estimate == nil && !o.NoTokens {
		o.Estimate, o.Count = tokens.Estimate, tokens.Count
	}
	b := &Backend{
		o: o, projects: map[project.ID]project.Project{}, tasks: map[task.ID]task.Task{},
		sessions: map[session.ID]*conversation{},
	}
	b.o.agents = b.withCustoms(o.agents)
	b.ctx, b.end = context.WithCancel(context.Background())
	if err := b.open(ctx); err != nil {
		b.end()
		b.wg.Wait()
		if closeErr := b.closeStore(); closeErr != nil {
			b.log.Warn("database not closed in order", "err", closeErr)
		}
		b.undo()
		return nil, err
	}
	return b, nil
}

func (b *Backend) open(ctx context.Context) error {
	if err := b.openFolder(); err != nil {
		return err
	}
	b.out = newOutlet(newID("e"), b.o.Send, b.o.Now)
	b.lookBack()
	b.secrets = openVault(b.o.Home, b.o.Keychain, b.log)
	b.secrets.later.waits = func() bool { return b.waits && b.memory.Load() }
	b.release = append(b.release, b.secrets.Close)
	listener, err := mcpserver.Listen(mcpserver.ListenOptions{Log: b.log})
	if err != nil {
		return err
	}
	b.mcp = listener
	b.release = append(b.release, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := listener.Close(ctx); err != nil {
			b.log.Warn("MCP listener did not close in order", "err", err)
		}
	})
	b.sweep()
	if err := b.openStored(ctx); err != nil {
		return err
	}
	if b.db.Unclean() {
		b.wg.Go(b.quickCheck)
	}
	if b.waits {
		b.wg.Go(b.moveIn)
	}
	b.wg.Go(func() { b.out.run(b.ctx) })
	if err := b.firstRun(); err != nil {
		return err
	}
	b.opened = true
	_ = os.Remove(b.PanicFile()) // in the report, or of an end in order
	return nil
}

// Log is the app's log.
func (b *Backend) Log() *slog.Logger { return b.log }

// Home is the data folder.
func (b *Backend) Home() string { return b.o.Home }

func (b *Backend) path(elements ...string) string {
	return filepath.Join(append([]string{b.o.Home}, elements...)...)
}

// Close stops every agent, stores what is left and closes everything, within
// ten seconds. A second call waits for the first and does nothing.
func (b *Backend) Close(ctx context.Context) error {
	var err error
	b.closing.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, timelimit.Quit)
		defer cancel()
		b.gate.Lock()
		b.closed = true // nothing new from here on
		b.gate.Unlock()
		err = b.stopAll(ctx)
		b.plugins.shut()
		b.end()
		b.wg.Wait()
		err = errors.Join(err, b.closeStore())
		b.undo()
	})
	return err
}

// enter counts new work that Close waits for; false when Close has begun. Each
// success is matched by one b.wg.Done. Work that is counted already may use
// b.wg.Go.
func (b *Backend) enter() bool {
	b.gate.Lock()
	defer b.gate.Unlock()
	if b.closed {
		return false
	}
	b.wg.Add(1)
	return true
}

func (b *Backend) undo() {
	for _, release := range slices.Backward(b.release) {
		release()
	}
	b.release = nil
}

// openFolder makes the data folder, takes its lock and opens the log.
func (b *Backend) openFolder() error {
	for _, dir := range []string{b.o.Home, b.path("logs"), b.path("run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil && dir == b.o.Home {
			return &FolderError{Folder: b.o.Home, Err: err}
		}
	}
	release, err := lockFolder(b.o.Home)
	if err != nil {
		return err
	}
	b.release = append(b.release, release)
	b.log = b.o.Log
	if b.log == nil {
		log, closeLog := openLog(b.path("logs"), &b.level)
		b.log = log
		b.release = append(b.release, closeLog)
	}
	return nil
}
