package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"kandev/backend"
)

// pageError is what a bound method's error becomes: its text is one JSON object, because Wails
// v2.16.0 makes `new Error(text)` of an error in the page and "[object Object]" of anything else.
// The page parses it in frontend/src/backend/client.ts.
type pageError struct {
	// Code is a stable word that the page decides by; see errorCodes.
	Code string `json:"code"`
	// Message is a sentence for the person, valid UTF-8, at most maxMessage bytes.
	Message string `json:"message"`

	cause error
}

// maxMessage bounds an error's sentence, in bytes: it travels as one event and is read by a person.
const maxMessage = 2000

// Error answers the JSON object.
func (e *pageError) Error() string {
	text, err := json.Marshal(e)
	if err != nil { // two strings always encode
		return `{"code":"failed","message":"unknown error"}`
	}
	return string(text)
}

// Unwrap answers the error that the page was told about.
func (e *pageError) Unwrap() error { return e.cause }

// errPanic stands for a panic in a bound method; what it said stays in the log's stack.
var errPanic = errors.New("something went wrong inside the app; what was saved is kept")

// errorCodes names the code of each sentinel that the page treats in its own way. The first that
// fits wins; everything else is "failed".
var errorCodes = []struct {
	is   error
	code string
}{
	{errToken, "token"},
	{errPanic, "panic"},
	{errURL, "url"},
	{context.Canceled, "cancelled"},
	{context.DeadlineExceeded, "timeout"},
	{fs.ErrNotExist, "not_found"},
	{fs.ErrPermission, "denied"},
}

// forPage turns an error into one that the page can read. nil stays nil, and an error that is
// already in that form is left alone.
func forPage(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*pageError](err); done {
		return err
	}
	code := "failed"
	for _, row := range errorCodes {
		if errors.Is(err, row.is) {
			code = row.code
			break
		}
	}
	return &pageError{Code: code, Message: clip(backend.AsSentence(clip(err.Error(), maxMessage)), maxMessage), cause: err}
}

// clip makes a text valid UTF-8 and at most limit bytes long, and shows where it was cut.
func clip(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	const mark = "…"
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}
