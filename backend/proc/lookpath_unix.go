//go:build linux || darwin

package proc

import "io/fs"

const pathSeparators = "/"

func programFiles(file string) []string { return []string{file} }

func runnable(mode fs.FileMode) bool { return mode&0o111 != 0 }
