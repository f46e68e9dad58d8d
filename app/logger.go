package app

// quietLogger keeps Wails' own log out of ours: its lines hold whole messages
// with their arguments. Only that something was said at error level is noted.
type quietLogger struct{ w *window }

func (quietLogger) Print(string)   {}
func (quietLogger) Trace(string)   {}
func (quietLogger) Debug(string)   {}
func (quietLogger) Info(string)    {}
func (quietLogger) Warning(string) {}

// Error notes that the shell reported an error.
func (l quietLogger) Error(message string) {
	l.w.logOf().Warn("the shell reported an error", "length", len(message))
}

// Fatal notes the same; Wails ends the process after it.
func (l quietLogger) Fatal(message string) {
	l.w.logOf().Error("the shell ended the app", "length", len(message))
}
