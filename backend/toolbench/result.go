package toolbench

import (
	"encoding/json"
	"fmt"
	"strings"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resultLimit bounds what one update carries; a frame may be 64 MiB, and the result is in it twice.
const resultLimit = 4 << 20

// present turns a tool's result into ACP content and the raw output. Text that is a JSON object or array is set as an
// indented JSON block. Structured content is shown only when there is no other content, because it repeats it.
func present(r *mcp.CallToolResult) (content []acp.ToolCallContent, raw json.RawMessage) {
	left := resultLimit
	add := func(b acp.ContentBlock) { content = append(content, acp.ToolContent(b)) }
	for _, c := range r.Content {
		block, size := presentBlock(c)
		if size > left {
			add(acp.TextBlock(fmt.Sprintf("A part of the result is left out: it is too long to be shown (%d bytes).", size)))
			continue
		}
		left -= size
		add(block)
	}
	if len(content) == 0 && r.StructuredContent != nil {
		if text, err := indented(r.StructuredContent); err == nil && len(text) <= left {
			add(acp.TextBlock(fence("json", text)))
		}
	}
	if len(content) == 0 {
		add(acp.TextBlock("The tool returned nothing."))
	}
	raw, err := json.Marshal(r)
	if err != nil || len(raw) > resultLimit {
		raw = nil // the content says what there was
	}
	return content, raw
}

// presentBlock maps one content block; size is about what it takes in a frame.
func presentBlock(c mcp.Content) (block acp.ContentBlock, size int) {
	switch c := c.(type) {
	case *mcp.TextContent:
		return acp.TextBlock(presentText(c.Text)), len(c.Text)
	case *mcp.ImageContent:
		return acp.ImageBlock(base64Of(c.Data), c.MIMEType), len(c.Data) * 4 / 3
	case *mcp.AudioContent:
		return acp.AudioBlock(base64Of(c.Data), c.MIMEType), len(c.Data) * 4 / 3
	case *mcp.ResourceLink:
		return acp.ResourceLinkBlock(c.Name, c.URI), len(c.Name) + len(c.URI)
	case *mcp.EmbeddedResource:
		if c.Resource != nil && c.Resource.Blob == nil {
			return acp.TextBlock(presentText(c.Resource.Text)), len(c.Resource.Text)
		}
		return acp.TextBlock("The tool returned a file that is not text."), 0
	}
	return acp.TextBlock("The tool returned content of a kind that this agent does not know."), 0
}

func presentText(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || !json.Valid([]byte(trimmed)) {
		return text
	}
	return fence("json", reindent(trimmed))
}
