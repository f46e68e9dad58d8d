package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	"kandev/backend/catalog"
	"kandev/backend/tokens"
)

const tokensUsage = `Usage: kandev-desktop tokens [--json] FILE|-

Estimates the tokens of MCP tool definitions, each and in total. FILE, or standard input for -, is a tools/list
result, a JSON-RPC response with one, an array of tools, one tool, or JSON lines of any of these.

  --json   one JSON object instead of text

Exit code 0: everything was counted; 1: a line or a tool could not be read, and is named, the others are counted;
2: the command line or the file could not be read.
`

// Tokens is "tokens": the estimates that the explorer shows, for definitions from a file. It answers 1 when a line or
// a tool could not be read (the others are counted) and 2 when the file could not.
func Tokens(args []string) int {
	return runTokens(args, os.Stdin, os.Stdout, os.Stderr, tokens.Estimate)
}

// runTokens is Tokens with its surroundings as arguments.
func runTokens(args []string, stdin io.Reader, stdout, stderr io.Writer, estimate func([]byte) (int, error)) int {
	file, asJSON, err := tokensArgs(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, tokensUsage)
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "tokens: %v\n%s", err, tokensUsage)
		return exitUsage
	}
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			fmt.Fprintln(stderr, "tokens:", visible(err.Error()))
			return exitUsage
		}
		defer f.Close()
		in = f
	}
	c := &counting{estimate: estimate, report: newTokenReport(stdout, asJSON), faults: &faults{out: stderr}}
	err = documents(in, maxDocument, c.document, c.faults.add)
	c.faults.flush()
	switch {
	case errors.Is(err, errStop):
	case err != nil:
		fmt.Fprintln(stderr, "tokens:", visible(err.Error()))
		return exitUsage
	case c.tools == 0 && !c.faults.any && !c.lists:
		fmt.Fprintln(stderr, "tokens: the input holds nothing")
		c.faults.any = true
	}
	c.report.close(c.tools)
	return c.outcome(stderr)
}

// counting is one run of the command.
type counting struct {
	estimate func([]byte) (int, error)
	report   *tokenReport
	faults   *faults
	tools    int
	lists    bool // a list was seen, even an empty one
	failed   error
}

var errStop = errors.New("no more is wanted")

// document counts the tools of one compact JSON value that began at a line.
func (c *counting) document(line int, value []byte) error {
	definitions, list, err := definitionsOf(value)
	if err != nil {
		c.faults.add(line, err.Error())
		return nil
	}
	c.lists = c.lists || list
	for i, d := range definitions {
		name, err := nameOf(d)
		if err != nil {
			reason := err.Error()
			if list {
				reason = fmt.Sprintf("element %d of the list: %s", i+1, reason)
			}
			c.faults.add(line, reason)
			continue
		}
		n, err := c.estimate(d)
		if err != nil {
			c.failed = err // there is no number for any tool: never a zero
			return errStop
		}
		c.tools++
		if c.report.tool(name, n); c.report.out.err != nil {
			return errStop
		}
	}
	return nil
}

// outcome turns what happened into the exit code. A reader of ours that has
// read enough, as head does, is no failure.
func (c *counting) outcome(stderr io.Writer) int {
	switch err := c.report.out.err; {
	case c.failed != nil:
		fmt.Fprintln(stderr, "tokens:", c.failed)
		return exitFailed
	case err != nil && !isBrokenPipe(err):
		fmt.Fprintln(stderr, "tokens:", visible(err.Error()))
		return exitFailed
	case c.faults.any:
		return exitFailed
	}
	return exitDone
}

func tokensArgs(args []string) (file string, asJSON bool, err error) {
	files, err := options{switches: map[string]*bool{"json": &asJSON}}.parse(args)
	if err == nil && len(files) != 1 {
		err = errors.New("one file is needed, or - for standard input")
	}
	if err != nil {
		return "", false, err
	}
	return files[0], asJSON, nil
}

func isBrokenPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // Windows' own
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// method is what stands beside every estimate.
const method = catalog.Method
