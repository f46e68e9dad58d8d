//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeBytes is what this user may still write to the disk that holds dir.
func freeBytes(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:unconvert // the types differ between systems
}

// webView2Version is of Windows.
func webView2Version() string { return "" }
