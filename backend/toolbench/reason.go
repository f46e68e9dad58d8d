package toolbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// codeRejected is what the MCP library wraps around failures of its own transport; it is not the server's word.
const codeRejected = -32005

// reason says in a few words why a server did not answer. It is made from the kind of the error only: the error's own
// text may hold an address with a secret in it. What a server itself says in a JSON-RPC error is shown.
func (srv *server) reason(err error) string {
	status := 0
	if srv.link != nil {
		status = int(srv.link.status.Load())
	}
	var wire *jsonrpc.Error
	var lookup *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, errEndlessList):
		return err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not answer in time"
	case errors.Is(err, context.Canceled):
		return "it was cancelled"
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "its command was not found"
	case errors.Is(err, fs.ErrPermission):
		return "its command may not be run"
	case errors.As(err, &lookup):
		return "its host was not found"
	case errors.As(err, &op) && op.Op == "dial":
		return "nothing answers at its address"
	case errors.As(err, &wire) && wire.Code != codeRejected:
		return fmt.Sprintf("it answered with error %d%s", wire.Code, srv.said(wire.Message))
	case status >= 400:
		return fmt.Sprintf("it answered %d %s", status, http.StatusText(status))
	case status >= 300 && status < 400:
		return "it answered with a redirect, which is not followed"
	case srv.client != nil && (errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing)):
		return "the connection is closed"
	}
	return "it did not answer as an MCP server"
}

// said is a server's own message, unless it repeats one of the headers that were sent to it.
func (srv *server) said(message string) string {
	if srv.link != nil {
		for _, h := range srv.link.headers {
			for part := range strings.FieldsSeq(h.Value) {
				if len(part) >= 8 && strings.Contains(message, part) {
					return ""
				}
			}
		}
	}
	return ": " + cut(plain(message), 2000)
}
