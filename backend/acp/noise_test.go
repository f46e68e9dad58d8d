package acp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const said = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"x"}}}`

// feed sends raw bytes as an agent's whole output and returns what was told.
func feed(t *testing.T, in string, tune ...func(*Conn)) (updates int, noise []string, dropped []int64) {
	t.Helper()
	c, p := connect(t, Options{
		Update:  func(string, Update) { updates++ },
		Noise:   func(n int, sum string) { noise = append(noise, fmt.Sprint(n, " ", sum)) },
		Dropped: func(n int64) { dropped = append(dropped, n) },
	}, tune...)
	go func() {
		p.out.WriteString(in)
		p.out.Close()
	}()
	wait(t, "end of output", c.Done())
	return updates, noise, dropped
}

func told(lines ...string) (out []string) {
	for _, l := range lines {
		sum := sha256.Sum256([]byte(l))
		out = append(out, fmt.Sprint(len(l), " ", hex.EncodeToString(sum[:])))
	}
	return out
}

// Case 80.
func TestNoise(t *testing.T) {
	tests := []struct {
		name, in string
		updates  int
		noise    []string
	}{
		{"clean", said + "\n", 1, nil},
		{"banner", "hello\n" + said + "\n", 1, told("hello")},
		{"title", "\x1b]0;x\x07" + said + "\n", 1, nil},
		{"colour after it", said + "\x1b[0m\n", 1, nil},
		{"BOM", "\ufeff" + said + "\n", 1, nil},
		{"BOM alone", "\ufeff\r\n" + said, 1, nil},
		{"CRLF", said + "\r\n" + said + "\r\n", 2, nil},
		{"no newline", said, 1, nil},
		{"two on a line", said + said + "\n", 2, nil},
		{"text after it", said + " done\n", 1, told("done")},
		{"text before it", "> " + said + "\n", 0, told("> " + said)},
		{"batch", "[" + said + "]\n" + said + "\n", 1, told("[" + said + "]")},
		{"JSON log line", `{"id":1,"result":"x","level":"info"}` + "\n", 0, told(`{"id":1,"result":"x","level":"info"}`)},
		{"older JSON-RPC", `{"jsonrpc":"1.0","method":"session/update"}`, 0, told(`{"jsonrpc":"1.0","method":"session/update"}`)},
		{"no method, no id", `{"jsonrpc":"2.0"}`, 0, told(`{"jsonrpc":"2.0"}`)},
		{"method of a wrong type", `{"jsonrpc":"2.0","id":1,"method":5}`, 0, told(`{"jsonrpc":"2.0","id":1,"method":5}`)},
		{"cut JSON", said[:30] + "\n", 0, told(said[:30])},
		{"scalars", "null\n1\n\"x\"\n", 0, told("null", "1", `"x"`)},
		{"not UTF-8", "\xff\xfe\n", 0, told("\xff\xfe")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			updates, noise, _ := feed(t, tt.in)
			if updates != tt.updates || !slices.Equal(noise, tt.noise) {
				t.Errorf("%d updates, noise %v; want %d, %v", updates, noise, tt.updates, tt.noise)
			}
		})
	}
}

// A frame that is too long costs itself and the call it answered, not the
// connection; a request that was too long is refused.
func TestDroppedFrames(t *testing.T) {
	small := func(c *Conn) { c.maxFrame = 200 }
	pad := fmt.Sprintf("%0300d", 0)
	updates, noise, dropped := feed(t, pad+"\n"+said+"\n"+pad, small)
	if updates != 1 || noise != nil || !slices.Equal(dropped, []int64{300, 300}) {
		t.Errorf("%d updates, noise %v, dropped %v", updates, noise, dropped)
	}

	c, p := connect(t, Options{}, small)
	ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	p.send(`{"jsonrpc":"2.0","id":"big","method":"fs/write_text_file","params":"` + pad + `"}`)
	p.expect(`{"jsonrpc":"2.0","id":"big","error":{"code":-32600,"message":"the request is larger than 64 MiB"}}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"x":"` + pad + `"}}`)
	if r := wait(t, "Prompt", ch); !isErr(r.err, ErrTooLarge) {
		t.Errorf("Prompt: %v, want ErrTooLarge", r.err)
	}
}

// A handler that hangs holds the agent through its own pipe: what waits is
// bounded by the pipe and one read buffer, and comes when the handler goes on.
func TestSlowHandlerHoldsTheAgent(t *testing.T) {
	release := make(chan struct{})
	n := 0
	c, p := connect(t, Options{Update: func(string, Update) {
		<-release
		n++
	}})
	const lines = 10_000 // a megabyte, more than a pipe holds
	all := []byte(strings.Repeat(said+"\n", lines))
	if err := p.out.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		close(release)
		t.Skipf("pipes have no deadlines here: %v", err) // Windows
	}
	taken, err := p.out.Write(all)
	if !isErr(err, os.ErrDeadlineExceeded) || taken > 512<<10 {
		t.Fatalf("the agent could write %d bytes: %v", taken, err)
	}
	close(release)
	p.out.SetWriteDeadline(time.Time{})
	if _, err := p.out.Write(all[taken:]); err != nil {
		t.Fatal(err)
	}
	p.out.Close()
	wait(t, "Done", c.Done())
	if n != lines {
		t.Errorf("%d updates, want %d", n, lines)
	}
}
