package proc

import "context"

// AskLoginShell has nothing to ask on Windows: every program gets the person's environment.
func AskLoginShell(context.Context, []string) (LoginShell, error) {
	return LoginShell{}, ErrNoShellPath
}
