package agentctl

import (
	"path/filepath"
	"syscall"
	"testing"

	"kandev/backend/acp"
)

// TestDeviceFiles: a named pipe is neither read nor written, and nobody waits
// for its other end.
func TestDeviceFiles(t *testing.T) {
	folder, _ := folderOfTest(t)
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := files{folder}.read(t.Context(), acp.ReadFile{Path: pipe})
	checkRefusal(t, pipe, "not a regular file", err)
	checkRefusal(t, pipe, "not a regular file", files{folder}.write(t.Context(), acp.WriteFile{Path: pipe, Content: "x"}))
}
