//go:build !linux || !cgo || !(production || dev)

package app

// installNavigationGuard does nothing here: on macOS only the main frame may call Go, on Windows
// Wails checks the origin of both the top page and the sender. See navguard_linux.go.
func installNavigationGuard(func() bool) {}
