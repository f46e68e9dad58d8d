package backend

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// bridgeProcess is a stdio MCP server that the fake agent has started.
type bridgeProcess struct {
	in  io.Writer
	out *bufio.Reader
}

func startBridge(s mcpServer) *bridgeProcess {
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Stderr = os.Stderr
	for _, e := range s.Env {
		cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		panic(err)
	}
	return &bridgeProcess{in: in, out: bufio.NewReader(out)}
}

func (p *bridgeProcess) write(message string) { _, _ = fmt.Fprintln(p.in, message) }

// call sends a request and returns the next answer; one at a time.
func (p *bridgeProcess) call(request string) (string, error) {
	p.write(request)
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return "", err
		}
		if !bytes.Contains(line, []byte(`"method"`)) {
			return string(line), nil
		}
	}
}
