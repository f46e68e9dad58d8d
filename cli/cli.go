package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Exit codes of every subcommand.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// command is one subcommand. run gets the arguments after its name and answers the exit code.
type command struct {
	name, about string
	run         func(args []string) int
}

// commands lists the subcommands in the order of the help text. The help itself is not in it.
func commands() []command {
	return []command{
		{"agent", "the embedded ACP agent on standard input and output; started by the app", Agent},
		{"doctor", "what this machine lacks for Kandev Desktop, and how to get it", doctorCommand},
		{"guard", "watches over one agent's processes; started by the app", Guard},
		{"mcp-bridge", "a session's MCP endpoint on standard input and output, for agents that take no address", Bridge},
		{"plugin", "makes, tries, installs, lists, configures and removes plugins", Plugin},
		{"tokens", "estimates the tokens of MCP tool definitions in a file", Tokens},
		{"version", "what this program is and was built from", version},
	}
}

// Main runs the subcommand that args names; args are the program's arguments without its own name.
// handled is false when there is none: then the window is meant. A first argument that begins with
// a dash and is neither help nor version belongs to the window too, since launchers add their own.
func Main(args []string) (code int, handled bool) {
	if len(args) > 0 {
		attachConsole()
	}
	return dispatch(args, commands(), os.Stdout, os.Stderr)
}

// dispatch is Main with its surroundings as arguments.
func dispatch(args []string, known []command, stdout, stderr io.Writer) (code int, handled bool) {
	if len(args) == 0 {
		return exitDone, false
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, help(known))
		return exitDone, true
	case "-version", "--version":
		name = "version"
	}
	for _, c := range known {
		if c.name == name {
			return c.run(rest), true
		}
	}
	if strings.HasPrefix(name, "-") {
		return exitDone, false
	}
	fmt.Fprintf(stderr, "kandev-desktop: there is no command %q\n\n%s", name, help(known))
	return exitUsage, true
}

// help is the text of `kandev-desktop help`.
func help(known []command) string {
	var b strings.Builder
	b.WriteString("Kandev Desktop runs coding agents and shows which MCP tools each one was given.\n\n" +
		"kandev-desktop            opens the window\n")
	for _, c := range append(slices.Clip(known), command{name: "help", about: "this text"}) {
		fmt.Fprintf(&b, "kandev-desktop %-10s %s\n", c.name, c.about)
	}
	b.WriteString("\ndoctor, mcp-bridge, plugin and tokens say more with --help.\n")
	return b.String()
}
