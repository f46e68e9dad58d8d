package proc

// Sweep has nothing to do: a job object ends its tree with the app, and no pid files are written.
func Sweep(string) (killed int, err error) { return 0, nil }
