package agentctl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/proc"
)

var (
	errTerminalUnknown = &acp.TerminalError{Sentence: "There is no terminal of this id, or it was released.", NotFound: true}
	errTerminalGone    = &acp.TerminalError{Sentence: "The session has ended."}
)

// ourPrefix begins the names of variables that concern Kandev alone, in any case.
const ourPrefix = "KANDEV_"

// terminalGrace: nothing is typed there, so closing stdin ends nothing.
var terminalGrace = proc.Grace{Stdin: time.Millisecond}

// terminalCommand is a command with the environment of the agent, without what
// is ours: never the bearer, also when the agent passes its own variables on.
func (i *Instance) terminalCommand(r acp.CreateTerminal, folder string) proc.Command {
	env := slices.DeleteFunc(i.childEnvironment(r.Env...), func(entry string) bool {
		return len(entry) >= len(ourPrefix) && strings.EqualFold(entry[:len(ourPrefix)], ourPrefix)
	})
	path, args := asProgram(r.Command, r.Args, folder)
	return proc.Command{
		Self: i.host.Guard, Path: path, Args: args, Dir: folder, Env: env, PIDDir: i.host.PIDDir,
		OneStream: true, Grace: terminalGrace,
	}
}

// asProgram lets the shell run what is a whole line and no program: ACP says
// program and arguments, and some agents put it all into the first.
func asProgram(command string, args []string, folder string) (string, []string) {
	if len(args) > 0 || !strings.ContainsAny(command, " \t\n;&|<>()$`") {
		return command, args
	}
	path := command
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if _, err := os.Stat(path); err == nil {
		return path, args
	}
	if runtime.GOOS == "windows" {
		return "cmd.exe", []string{"/d", "/s", "/c", command}
	}
	return "/bin/sh", []string{"-c", command}
}

// terminalFolder is where a command starts: the session's folder, or one that
// really lies inside of it. What the command does from there on is its own: a
// terminal is no sandbox.
func terminalFolder(folder, cwd string) (string, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", &acp.TerminalError{Sentence: "The session's folder is not there."}
	}
	if cwd == "" {
		return real, nil
	}
	if strings.ContainsRune(cwd, 0) || !filepath.IsAbs(cwd) {
		return "", folderRefusal(cwd, "is not an absolute path")
	}
	found, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", folderRefusal(cwd, "does not exist")
	}
	inside, err := filepath.Rel(real, found)
	if err != nil || !filepath.IsLocal(inside) {
		return "", folderRefusal(cwd, "is outside of the session's folder")
	}
	if info, err := os.Stat(found); err != nil || !info.IsDir() {
		return "", folderRefusal(cwd, "is not a folder")
	}
	return found, nil
}

func folderRefusal(path, why string) error {
	return &acp.TerminalError{Sentence: path + " " + why + "."}
}

// startRefusal says why a command did not start; the system's own words may
// name other paths.
func startRefusal(ctx context.Context, command string, err error) error {
	sentence := command + " could not be started."
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, proc.ErrNotFound):
		sentence = command + " was not found."
	case errors.Is(err, proc.ErrNotExecutable):
		sentence = command + " cannot be executed."
	case errors.Is(err, proc.ErrNoFolder):
		sentence = "The folder to run " + command + " in cannot be used."
	}
	return &acp.TerminalError{Sentence: sentence}
}

// limitOf is how many bytes of output the agent is told.
func limitOf(asked *uint64) int {
	if asked == nil || *asked > MaxOutput {
		return MaxOutput
	}
	return int(*asked)
}

// commandLine shows a command as it would be typed.
func commandLine(command string, args []string) string {
	if len(args) == 0 {
		return command
	}
	words := []string{agent.ShellWord(command)}
	for _, arg := range args {
		words = append(words, agent.ShellWord(arg))
	}
	return strings.Join(words, " ")
}
