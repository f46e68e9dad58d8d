package app

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
)

// door is what every bound method goes through: it holds the session token and the log.
type door struct {
	token sessionToken
	log   *slog.Logger
}

// enter runs the body of the bound method called name for a caller that presented given.
//
// The token is checked first. A panic becomes an error: Wails would log its message, which may
// hold arguments, and leave the page's promise unsettled for ever. Every error comes back in the
// form that the page reads. Nothing of arguments or results is logged.
func enter[T any](d door, given, name string, body func() (T, error)) (result T, err error) {
	if err := d.token.check(given); err != nil {
		return result, forPage(err)
	}
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("a bound method panicked", "method", name, "type", fmt.Sprintf("%T", p), "stack", callStack(3))
			var none T
			result, err = none, forPage(errPanic)
		}
	}()
	result, err = body()
	return result, forPage(err)
}

// callStack lists function and line of each frame, nearest first, without the argument words that
// runtime/debug prints. skip counts frames as runtime.Callers does.
func callStack(skip int) string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip, pcs[:])])
	var lines []string
	for {
		frame, more := frames.Next()
		lines = append(lines, fmt.Sprintf("%s %s:%d", frame.Function, filepath.Base(frame.File), frame.Line))
		if !more {
			return strings.Join(lines, "\n")
		}
	}
}
