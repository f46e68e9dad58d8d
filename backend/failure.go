package backend

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/executor"
	"kandev/backend/proc"
	"kandev/backend/redact"
)

// failure turns a start error into a sentence for the person, without the values
// that the agent was given.
func failure(err error, given ...string) string {
	switch {
	case noFolder(err):
		return "The project's folder is not there any more. Choose it again in the project menu, then start the session again."
	case errors.Is(err, executor.ErrNoRepository):
		return "A worktree needs a git repository with a commit, and the project's folder is in none. Begin a session in the folder itself, or make a first commit."
	case errors.Is(err, executor.ErrNoGit):
		return "A worktree needs git, which was not found. Install it, or begin a session in the folder itself."
	case errors.Is(err, agent.ErrNotInstalled), errors.Is(err, errValue):
		return err.Error()
	case errors.Is(err, agent.ErrUnknown):
		return agentGone
	case errors.Is(err, proc.ErrNotFound):
		return "The agent's program was not found. " + redact.Summary(err.Error(), given...)
	case errors.Is(err, proc.ErrNotExecutable):
		return "The agent's program cannot be executed. " + redact.Summary(err.Error(), given...)
	case errors.Is(err, acp.ErrClosed), errors.Is(err, agentctl.ErrEnded):
		return "The agent ended before it was ready."
	case errors.Is(err, errLogin):
		if said, ok := errors.AsType[*acp.Error](err); ok { // alone: what stands before it reads like a credential's name
			return "The login failed: " + redact.Summary(said.Message, given...) + "."
		}
		return AsSentence(redact.Summary(err.Error(), given...))
	case errors.Is(err, acp.ErrNoAnswer):
		return "The agent did not answer in time. Start the session again, or look at its own log."
	}
	return "The agent could not be started: " + redact.Summary(err.Error(), given...)
}

// noFolder reports whether a start failed for a folder that is not there.
func noFolder(err error) bool {
	return errors.Is(err, executor.ErrFolder) || errors.Is(err, proc.ErrNoFolder)
}

// sentence is an error of ours as a person reads it.
func sentence(err error) string { return AsSentence(err.Error()) }

// AsSentence gives an error's text, which Go begins small and ends without a
// stop, the look of the sentence that the window shows. Nothing stays nothing.
func AsSentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", last) {
		return text
	}
	return text + "."
}

// shownCommand is a command as a person is told it: without the folders of its
// program. Its arguments are those of the agent's definition.
func shownCommand(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return strings.Join(append([]string{redact.Executable(argv[0])}, argv[1:]...), " ")
}
