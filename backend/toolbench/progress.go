package toolbench

import (
	"strconv"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressPause keeps a server that reports all the time from flooding the client. The last report may be left out:
// the result follows it.
const progressPause = 100 * time.Millisecond

// progress shows a progress notification on the call it belongs to. Unknown and late tokens are ignored.
func (s *session) progress(p *mcp.ProgressNotificationParams) {
	if p == nil {
		return
	}
	token, _ := p.ProgressToken.(string)
	s.mu.Lock()
	c := s.calls[token]
	s.mu.Unlock()
	if c == nil {
		return
	}
	now := s.agent.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reported.IsZero() && now.Sub(c.reported) < progressPause {
		return
	}
	c.reported = now
	c.send(s.ctx, acp.ToolCallStatusInProgress, sentence(progressText(p, now.Sub(c.started))), nil)
}

// progressText is the server's message, or how far it is, or at least how long it takes.
func progressText(p *mcp.ProgressNotificationParams, waited time.Duration) string {
	switch {
	case plain(p.Message) != "":
		return literal(cut(p.Message, 500))
	case p.Total > 0:
		return strconv.FormatFloat(p.Progress, 'f', -1, 64) + " of " + strconv.FormatFloat(p.Total, 'f', -1, 64)
	}
	return "Waiting… " + strconv.Itoa(int(waited.Seconds())) + " s"
}
