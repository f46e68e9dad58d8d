package backend

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// flood writes without end until its pipe breaks; nothing that comes is read.
func (f *fakeAgent) flood(_ context.Context, what string) {
	f.mu.Lock() // for good: nothing else of this agent is said
	_ = os.WriteFile("flooding", nil, 0o600)
	to := io.Writer(os.Stdout)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	line := func(int) string { return "" }
	switch what {
	case "stdout":
		line = func(int) string { return string(piece) }
	case "stderr":
		to = os.Stderr
		line = func(int) string { return string(piece) }
	case "updates":
		line = func(n int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"fake-1","update":{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"x","content":[{"type":"content","content":{"type":"text","text":"%01000d"}}]}}}`+"\n", n%500, n)
		}
	case "permissions":
		line = func(n int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"session/request_permission","params":{"sessionId":"fake-1","toolCall":{"toolCallId":"c%d"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`+"\n", n, n)
		}
	case "terminals":
		line = func(n int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":"t%d","method":"terminal/create","params":{"sessionId":"fake-1","command":"/bin/sh","args":["-c","trap '' TERM; while :; do sleep 1; done"]}}`+"\n", n)
		}
	case "requests":
		line = func(n int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":"fs/read_text_file","params":{"sessionId":"fake-1","path":"/none"}}`+"\n", n)
		}
	}
	w := bufio.NewWriterSize(to, 64<<10)
	for n := 0; ; n++ {
		if _, err := w.WriteString(line(n)); err != nil {
			os.Exit(1)
		}
	}
}
