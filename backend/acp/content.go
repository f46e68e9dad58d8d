package acp

import (
	"encoding/json"
	"strings"
)

// Chunk is a piece of a message.
type Chunk struct {
	Text      string          // of a block that is no text: a marker such as "[image]"
	MessageID string          // "" = not told
	Block     json.RawMessage // the block as sent, when it is no text; else nil
}

func decodeChunk(o object) *Chunk {
	c := &Chunk{MessageID: o.id("messageId")}
	var b strings.Builder
	for _, item := range o.list("content") {
		text, plain := blockText(item)
		b.WriteString(text)
		if !plain {
			c.Block = o["content"]
		}
	}
	c.Text = b.String()
	return c
}

// blockText reads a content block. A block that is no text (plain is false)
// gives a marker with its type, never an empty text. A bare string is its own
// text, as some agents send it.
func blockText(raw json.RawMessage) (text string, plain bool) {
	if s, ok := stringOf(raw); ok {
		return s, true
	}
	o := parseObject(raw)
	s, isText := stringOf(o["text"])
	switch kind := o.text("type"); {
	case isText && (kind == "text" || kind == ""):
		return s, true
	default:
		return marker(kind), false
	}
}

// marker shows a type that has no text. Only the letters of type names come
// through, since the marker stands inside a message.
func marker(kind string) string {
	kind = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return -1
	}, cut(kind, 32))
	if kind == "" {
		kind = "content"
	}
	return "[" + kind + "]"
}
