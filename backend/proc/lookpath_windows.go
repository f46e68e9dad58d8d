package proc

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

const pathSeparators = `\/:`

// programExtensions are those of a fresh Windows that start without a script host.
var programExtensions = []string{".exe", ".com", ".cmd", ".bat"}

func programFiles(file string) []string {
	if slices.Contains(programExtensions, strings.ToLower(filepath.Ext(file))) {
		return []string{file}
	}
	files := make([]string, 0, len(programExtensions))
	for _, extension := range programExtensions {
		files = append(files, file+extension)
	}
	return files
}

func runnable(fs.FileMode) bool { return true }
