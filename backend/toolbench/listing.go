package toolbench

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pages bounds what one server can make us list.
const pages = 200

var errEndlessList = errors.New("its tool list does not end")

// list reads all pages. A cursor that comes back a second time ends it with an error.
func (srv *server) list(ctx context.Context) ([]*mcp.Tool, error) {
	if r := srv.client.InitializeResult(); r != nil && r.Capabilities != nil && r.Capabilities.Tools == nil {
		return nil, nil
	}
	var tools []*mcp.Tool
	names, cursors := map[string]bool{}, map[string]bool{}
	for params := (&mcp.ListToolsParams{}); ; {
		page, err := srv.client.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			if !names[t.Name] { // the first of two equal names wins
				names[t.Name] = true
				tools = append(tools, t)
			}
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		if cursors[page.NextCursor] || len(cursors) >= pages {
			return nil, errEndlessList
		}
		cursors[page.NextCursor] = true
		params.Cursor = page.NextCursor
	}
}

func (srv *server) noteChanged() {
	select {
	case srv.changed <- struct{}{}:
	default:
	}
}

// watch lists again after list_changed, one list at a time however many notifications come.
func (srv *server) watch() {
	s := srv.session
	for {
		select {
		case <-srv.changed:
		case <-s.ctx.Done():
			return
		}
		ctx, cancel := context.WithTimeout(s.ctx, listLimit)
		tools, err := srv.list(ctx)
		cancel()
		if err != nil {
			continue // the old list stays: it is what can be called as far as we know
		}
		s.mu.Lock()
		srv.tools = tools
		s.mu.Unlock()
		s.publish()
	}
}
