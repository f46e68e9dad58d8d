package agent

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestReserved is case 31.
func TestReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"kandev": true, "Kandev": true, " KANDEV\t": true, "kan dev": true, "kandev\u00a0": true, "kan\u200bdev": true, "\ufeffkandev": true,
		"kandev2": false, "my-kandev": false, "": false,
	} {
		if got := Reserved(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
		err := OwnServer{Name: name, Transport: "stdio", Command: "c"}.Clean().Check(nil)
		if want != errors.Is(err, ErrReserved) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	others := []OwnServer{{ID: "1", Name: "Files"}}
	good := OwnServer{ID: "2", Name: "notes", Transport: "stdio", Command: "npx", Args: []string{""}, Env: []Kept{{Name: "A_b"}}}
	remote := OwnServer{ID: "2", Name: "notes", Transport: "http", URL: "https://h/mcp?x=1", Headers: []Kept{{Name: "X-Key"}}}
	change := func(s OwnServer, f func(*OwnServer)) OwnServer { f(&s); return s }
	for name, c := range map[string]struct {
		server OwnServer
		says   string // "" = kept
	}{
		"stdio":            {good, ""},
		"http":             {remote, ""},
		"sse":              {change(remote, func(s *OwnServer) { s.Transport = "sse" }), ""},
		"variable":         {change(remote, func(s *OwnServer) { s.URL = "http://${HOST}/mcp" }), ""},
		"itself":           {change(good, func(s *OwnServer) { s.ID, s.Name = "1", "files" }), ""},
		"no name":          {change(good, func(s *OwnServer) { s.Name = " \n" }), "needs a name"},
		"long name":        {change(good, func(s *OwnServer) { s.Name = strings.Repeat("é", 65) }), "64 characters"},
		"invisible":        {change(good, func(s *OwnServer) { s.Name = "a\u202eb" }), "cannot be seen"},
		"same name":        {change(good, func(s *OwnServer) { s.Name = "FILES " }), "another server of this agent is named Files"},
		"no command":       {change(good, func(s *OwnServer) { s.Command = " " }), "needs a command"},
		"NUL":              {change(good, func(s *OwnServer) { s.Args = []string{"\x00"} }), "NUL"},
		"our variable":     {change(good, func(s *OwnServer) { s.Args = []string{"--key=${Kandev_MCP_TOKEN:-x}"} }), "Kandev's own"},
		"ours as command":  {change(good, func(s *OwnServer) { s.Command = "$KANDEV_SECRET_1" }), "Kandev's own"},
		"ours in address":  {change(remote, func(s *OwnServer) { s.URL = "https://h/${KANDEV_SECRET_1}" }), "Kandev's own"},
		"like ours":        {change(remote, func(s *OwnServer) { s.URL = "https://h/${MY_KANDEV_KEY}" }), ""},
		"variable name":    {change(good, func(s *OwnServer) { s.Env = []Kept{{Name: "A=B"}} }), "variable"},
		"variable twice":   {change(good, func(s *OwnServer) { s.Env = []Kept{{Name: "A"}, {Name: "A"}} }), "twice"},
		"no address":       {change(remote, func(s *OwnServer) { s.URL = "" }), "needs an address"},
		"no scheme":        {change(remote, func(s *OwnServer) { s.URL = "h/mcp" }), "whole one"},
		"file":             {change(remote, func(s *OwnServer) { s.URL = "file:///etc/hidden" }), "whole one"},
		"bad address":      {change(remote, func(s *OwnServer) { s.URL = "http://hidden:x y/" }), "whole one"},
		"password":         {change(remote, func(s *OwnServer) { s.URL = "http://u:hidden@h/" }), "into a header"},
		"line break":       {change(remote, func(s *OwnServer) { s.URL = "http://h/\nhidden" }), "cannot be seen"},
		"header name":      {change(remote, func(s *OwnServer) { s.Headers = []Kept{{Name: "a b"}} }), "header"},
		"header twice":     {change(remote, func(s *OwnServer) { s.Headers = []Kept{{Name: "A"}, {Name: "a"}} }), "twice"},
		"transport":        {change(good, func(s *OwnServer) { s.Transport = "pigeon" }), "pigeon"},
		"stdio left over":  {change(good, func(s *OwnServer) { s.URL, s.Headers = "x", []Kept{{Name: "a b"}} }), ""},
		"remote left over": {change(remote, func(s *OwnServer) { s.Command, s.Env = "\x00", []Kept{{}} }), ""},
	} {
		err := c.server.Clean().Check(others)
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, ErrServer) || !strings.Contains(fmt.Sprint(err), c.says) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
	full := make([]OwnServer, MaxServers)
	if err := good.Check(full); !errors.Is(err, ErrServer) {
		t.Errorf("one too many: %v", err)
	}
	if err := CheckValue("http", "A", "a\nhidden"); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("value: %v", err)
	}
	for _, transport := range []string{"stdio", "http"} {
		if err := CheckValue(transport, "A", "Bearer ${KANDEV_MCP_TOKEN}"); !errors.Is(err, ErrServer) {
			t.Errorf("our bearer in a value of %s: %v", transport, err)
		}
	}
	if err := CheckValue("stdio", "A", "a\nb"); err != nil {
		t.Errorf("value of several lines: %v", err)
	}
}
