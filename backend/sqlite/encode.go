package sqlite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// stampLayout has one width, so that text order is time order.
const stampLayout = "2006-01-02T15:04:05.000000000Z"

// stamp is the stored form of a time: UTC text, "" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(stampLayout)
}

// stampOrNull stores a time that may be absent.
func stampOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return stamp(*t)
}

// stampInto reads what stamp wrote.
type stampInto struct{ to *time.Time }

// Scan implements sql.Scanner.
func (s stampInto) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("a time is stored as %T", v)
	}
	if text == "" {
		*s.to = time.Time{}
		return nil
	}
	t, err := time.Parse(stampLayout, text)
	*s.to = t
	return err
}

// stampOrNullInto reads what stampOrNull wrote.
type stampOrNullInto struct{ to **time.Time }

// Scan implements sql.Scanner.
func (s stampOrNullInto) Scan(v any) error {
	if v == nil {
		*s.to = nil
		return nil
	}
	*s.to = new(time.Time)
	return stampInto{*s.to}.Scan(v)
}

// encode is the stored JSON form of a value: compact, without the escapes that
// are for HTML, the same bytes for the same value.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("encode %T: %w", v, err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// jsonInto reads what encode wrote; NULL leaves the value as it is.
type jsonInto struct{ to any }

// Scan implements sql.Scanner.
func (j jsonInto) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), j.to)
	}
	return fmt.Errorf("JSON is stored as %T", v)
}

// blob stores bytes; nil is NULL.
func blob(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}
