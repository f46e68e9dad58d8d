package acp

import (
	"context"
	"encoding/json"
	"errors"
)

// ReadFile is one fs/read_text_file. Path is as the agent sent it.
type ReadFile struct {
	SessionID string
	Path      string
	Line      *uint64 // first line, from 1; nil = from the start
	Limit     *uint64 // lines; nil = to the end
}

// WriteFile is one fs/write_text_file. Path is as the agent sent it.
type WriteFile struct {
	SessionID string
	Path      string
	Content   string
}

// FileError is a refusal whose sentence the agent is told.
type FileError struct {
	Path     string
	Sentence string // names the path
	NotFound bool
}

func (e *FileError) Error() string { return e.Sentence }

type readResult struct {
	Content string `json:"content"`
}

func (c *Conn) readFile(ctx context.Context, params json.RawMessage) (any, error) {
	o := parseObject(params)
	r := ReadFile{SessionID: o.text("sessionId"), Path: o.text("path")}
	if n, ok := o.number("line"); ok {
		r.Line = &n
	}
	if n, ok := o.number("limit"); ok {
		r.Limit = &n
	}
	text, err := c.o.ReadFile(ctx, r)
	return readResult{text}, err
}

func (c *Conn) writeFile(ctx context.Context, params json.RawMessage) (any, error) {
	o := parseObject(params)
	text, ok := stringOf(o["content"])
	if !ok {
		return nil, &FileError{Sentence: "content must be a string"}
	}
	return struct{}{}, c.o.WriteFile(ctx, WriteFile{SessionID: o.text("sessionId"), Path: o.text("path"), Content: text})
}

// wireErrorOf is how a request that failed is answered: an error of a handler
// may hold anything, so only what was written for the agent goes out.
func wireErrorOf(err error) *wireError {
	if file, ok := errors.AsType[*FileError](err); ok {
		return refusalOf(file.Sentence, file.NotFound)
	}
	if terminal, ok := errors.AsType[*TerminalError](err); ok {
		return refusalOf(terminal.Sentence, terminal.NotFound)
	}
	return &wireError{CodeInternal, "the request could not be answered"}
}

func refusalOf(sentence string, notFound bool) *wireError {
	if notFound {
		return &wireError{CodeNotFound, sentence}
	}
	return &wireError{CodeInvalidParams, sentence}
}
