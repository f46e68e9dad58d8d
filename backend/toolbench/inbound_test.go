package toolbench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestLinesThatAreTooLong(t *testing.T) {
	const lineLimit, readLimit = 100_000, 500_000
	long := `{"jsonrpc":"2.0","id":"a1","method":"session/prompt","params":"` + strings.Repeat("x", lineLimit) + `"}` + "\n"
	quiet := `{"jsonrpc":"2.0","method":"note","params":"` + strings.Repeat("x", lineLimit) + `"}` + "\n"
	endless := strings.Repeat("y", readLimit+1) + "\n"
	var refused []string
	r := newInbound(t.Context(), strings.NewReader("first\n"+long+quiet+endless+"last"), func(id json.RawMessage) {
		refused = append(refused, string(id))
	})
	r.passed, r.read = lineLimit, readLimit
	r.start()
	got, err := io.ReadAll(r)
	if err != nil || string(got) != "first\nlast" || len(refused) != 1 || refused[0] != `"a1"` {
		t.Errorf("passed on %.80q, refused %v, %v", got, refused, err)
	}
}

func TestLineBehindAPromptWaits(t *testing.T) {
	r := newInbound(t.Context(), strings.NewReader(`{"id":1,"method":"session/prompt"}`+"\nnext\n"), nil)
	r.promptTaken() // an old token is of no use
	r.start()
	lines := bufio.NewReader(r)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		line, _ := lines.ReadString('\n')
		read <- line
	}()
	select {
	case line := <-read:
		t.Errorf("%q came before the prompt was taken", line)
	default:
	}
	r.promptTaken()
	if got := <-read; got != "next\n" {
		t.Errorf("got %q", got)
	}
}

func TestRefusalIsAFrame(t *testing.T) {
	var b bytes.Buffer
	w := newOutbound(&b)
	w.refuse(json.RawMessage(`9007199254740993`))
	var m struct {
		ID    json.Number
		Error struct{ Code int }
	}
	if err := json.Unmarshal(b.Bytes(), &m); err != nil || m.ID != "9007199254740993" || m.Error.Code != codeInvalidRequest || !strings.HasSuffix(b.String(), "}\n") {
		t.Errorf("%v: %s", err, b.String())
	}
}
