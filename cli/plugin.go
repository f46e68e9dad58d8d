package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// surroundings are what a plugin subcommand reads and writes.
type surroundings struct {
	in          io.Reader
	out, errs   io.Writer
	environment func(key string) (string, bool)
}

// pluginCommand is one of the words after "plugin". run gets the arguments after its name.
type pluginCommand struct {
	name, arguments, about string
	run                    func(ctx context.Context, args []string, s surroundings) int
}

func pluginCommands() []pluginCommand {
	return []pluginCommand{
		{"inspect", "FILE", "what a plugin's file holds, asks for, and what is wrong with it", pluginInspect},
		{"call", "FILE TOOL", "runs one tool of a file, with JSON arguments from standard input", pluginCall},
		{"new", "FOLDER", "makes a folder with a plugin in Go to start from", pluginNew},
		{"list", "", "the installed plugins, also while the app runs", pluginList},
		{"install", "FILE", "installs or updates a plugin; a new one is off", pluginInstall},
		{"configure", "ID KEY=VALUE…", "sets settings of a plugin; secrets from standard input or a file", pluginConfigure},
		{"enable", "ID --grant", "offers a plugin's tools to every session, with what it asks for", pluginEnable},
		{"disable", "ID", "takes its tools out of every session", pluginDisable},
		{"remove", "ID", "removes a plugin with its file, settings and secrets", pluginRemove},
	}
}

// Plugin is "plugin": what can be done with plugins without the window. Its first argument says what.
func Plugin(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := surroundings{in: os.Stdin, out: os.Stdout, errs: os.Stderr, environment: os.LookupEnv}
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		s.in = strings.NewReader("") // a terminal: no subcommand waits for a person
	}
	return runPlugin(ctx, args, s)
}

// runPlugin is Plugin with its surroundings as arguments.
func runPlugin(ctx context.Context, args []string, s surroundings) int {
	if len(args) == 0 {
		fmt.Fprint(s.errs, "plugin: say what to do\n\n", pluginHelp())
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(s.out, pluginHelp())
		return exitDone
	}
	for _, c := range pluginCommands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], s)
		}
	}
	fmt.Fprintf(s.errs, "plugin: there is no command %q\n\n%s", args[0], pluginHelp())
	return exitUsage
}

func pluginHelp() string {
	var b strings.Builder
	b.WriteString("Plugins are WebAssembly modules that add tools.\n\n")
	for _, c := range pluginCommands() {
		fmt.Fprintf(&b, "kandev-desktop plugin %-23s %s\n", strings.TrimSpace(c.name+" "+c.arguments), c.about)
	}
	b.WriteString("\nEach says more with --help. Those that change what is installed need the app to be closed.\n" +
		"Exit code 0: done; 1: it failed; 2: the command line or the file could not be read.\n")
	return b.String()
}

// refused prints why a command line was not understood, or the help that was asked for.
func (s surroundings) refused(name string, err error, usage string) int {
	if errors.Is(err, errHelp) {
		fmt.Fprint(s.out, usage)
		return exitDone
	}
	fmt.Fprintf(s.errs, "plugin %s: %s\n\n%s", name, visible(err.Error()), usage)
	return exitUsage
}

// failed prints why a command could not do its work.
func (s surroundings) failed(name string, err error) int {
	fmt.Fprintf(s.errs, "plugin %s: %s\n", name, visible(err.Error()))
	return exitFailed
}
