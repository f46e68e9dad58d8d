package proc

import "context"

// LoginShellPath has nothing to ask on Windows: every program gets the person's PATH.
func LoginShellPath(context.Context) (string, error) { return "", ErrNoShellPath }
