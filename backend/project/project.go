// Package project holds what a project is: a folder and a name, unique by the
// folder's real path. Pure; whether the folder still exists is looked up by
// the backend each time it is asked.
package project

import (
	"errors"
	"path/filepath"
	"strings"
	"time"
)

// Errors that say which rule a project breaks.
var (
	ErrNotFound = errors.New("project not found")
	ErrFolder   = errors.New("not a folder that can be opened")
	ErrTaken    = errors.New("this folder is another project already")
)

// ID is the durable id of a project.
type ID string

// Project is a folder that sessions work in.
type Project struct {
	ID     ID
	Name   string
	Path   string // real path after symlinks, absolute
	Agent  string // agent id last used here; "" = none yet
	UsedAt time.Time
	Sample bool // the sample project inside the data folder
}

// NameOf is the name a project gets from its folder: the last path element, of
// Unix and Windows paths alike.
func NameOf(path string) string {
	trimmed := strings.TrimRight(path, `/\`)
	if i := strings.LastIndexAny(trimmed, `/\`); i >= 0 {
		trimmed = trimmed[i+1:]
	}
	if trimmed == "" || trimmed == "." {
		return filepath.Clean(path)
	}
	return trimmed
}
