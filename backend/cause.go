package backend

import (
	"context"
	"errors"

	"kandev/backend/agentctl"
	"kandev/backend/mcpserver"
)

// Errors of the app as a whole.
var errClosing = errors.New("the app is closing")

// isGone tells a client that is merely not there any more from an end that
// somebody wanted.
func isGone(cause error) bool {
	for _, wanted := range []error{errStopped, agentctl.ErrEnded, mcpserver.ErrSuperseded, mcpserver.ErrCancelled, context.DeadlineExceeded} {
		if errors.Is(cause, wanted) {
			return false
		}
	}
	return true
}

// cancelReason is the sentence that a cancelled question shows.
func cancelReason(cause error) string {
	switch {
	case errors.Is(cause, errStopped):
		return "You stopped the turn."
	case errors.Is(cause, agentctl.ErrEnded):
		return "The agent has ended."
	case errors.Is(cause, mcpserver.ErrSuperseded):
		return "A new attempt began."
	case errors.Is(cause, mcpserver.ErrCancelled):
		return "The agent took the question back."
	}
	return ""
}
