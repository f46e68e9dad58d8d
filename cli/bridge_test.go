package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestBridge(t *testing.T) {
	const nowhere = "http://127.0.0.1:1/mcp/a"
	for _, c := range []struct {
		name   string
		args   []string
		bearer string
		in     string
		code   int
		out    string
		err    string
	}{
		{"no address", nil, "s", "", exitUsage, "", "takes one argument"},
		{"two arguments", []string{nowhere, "s3cret"}, "", "", exitUsage, "", "KANDEV_MCP_TOKEN"},
		{"help", []string{"--help"}, "", "", exitDone, "Usage: kandev-desktop mcp-bridge URL", ""},
		{"an option", []string{"--token", nowhere}, "", "", exitUsage, "", `no option "--token"`},
		{"another machine", []string{"http://192.0.2.1:80/s3cret"}, "s", "", exitFailed, "", "mcp-bridge: the address must be http on a loopback host"},
		{"bearer with a line break", []string{nowhere}, "s3cret\n", "", exitFailed, "", "bearer"},
		{"end of input", []string{nowhere}, "s3cret", "", exitDone, "", ""},
		{"endpoint gone", []string{nowhere}, "s3cret", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, exitDone, `"code":-32000`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := runBridge(t.Context(), c.args, c.bearer, strings.NewReader(c.in), &out, &errs)
			if code != c.code || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.err) {
				t.Errorf("exit code %d, output %q, errors %q", code, &out, &errs)
			}
			if (errs.Len() > 0) != (c.code != exitDone) || (out.Len() > 0) != (c.out != "") || strings.Contains(errs.String()+out.String(), "s3cret") {
				t.Errorf("output %q, errors %q", &out, &errs)
			}
		})
	}
}
