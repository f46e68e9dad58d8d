package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"kandev/backend/tokens"
)

// length stands in for the tokenizer: one token a byte.
func length(definition []byte) (int, error) { return len(definition), nil }

func TestTokens(t *testing.T) {
	const a, b = `{"name":"a"}`, `{"name":"bb","inputSchema":{"type":"object"}}`
	const bothRows = "  tokens  tool\n     ~12  a\n     ~45  bb\n     ~57  total of 2 tools\nestimated as o200k_base:mcp-tool-json-v1\n"
	const oneRow = "  tokens  tool\n     ~12  a\n     ~12  total of 1 tool\nestimated as o200k_base:mcp-tool-json-v1\n"
	const noRow = "       —  total of 0 tools\n"
	pretty := func(s string) string {
		var out bytes.Buffer
		if err := json.Indent(&out, []byte(s), "", "\t"); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, c := range []struct {
		name, in, out, errs string
		code                int
	}{
		{"result", `{"tools":[` + a + `,` + b + `]}`, bothRows, "", exitDone},
		{"response", `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + a + `,` + b + `]}}`, bothRows, "", exitDone},
		{"response on many lines", pretty(`{"jsonrpc":"2.0","id":1,"result":{"tools":[`+a+`,`+b+`]}}`) + "\r\n\n", bothRows, "", exitDone},
		{"array", "\xef\xbb\xbf[" + a + `,` + b + "]\n", bothRows, "", exitDone},
		{"array on many lines", "\n" + pretty(`[`+a+`,`+b+`]`), bothRows, "", exitDone},
		{"one tool", a, oneRow, "", exitDone},
		{"one tool on many lines", pretty(a), oneRow, "", exitDone},
		{"lines", a + "\r\n\n  " + b + "\n", bothRows, "", exitDone},
		{"a document, then lines", pretty(a) + "\n" + b, bothRows, "", exitDone},
		{"lists on lines", `{"tools":[` + a + `]}` + "\n[" + b + "]", bothRows, "", exitDone},
		{"as served, not sorted", b + "\n" + a, "  tokens  tool\n     ~45  bb\n     ~12  a\n     ~57  total of 2 tools\nestimated as o200k_base:mcp-tool-json-v1\n", "", exitDone},
		{"white space and escapes do not count", `{ "name" : "a" , "d":"\u003c" }`, "  tokens  tool\n     ~20  a\n     ~20  total of 1 tool\nestimated as o200k_base:mcp-tool-json-v1\n", "", exitDone},
		{"last name holds", `{"name":"b","name":"a"}`, "  tokens  tool\n     ~23  a\n     ~23  total of 1 tool\nestimated as o200k_base:mcp-tool-json-v1\n", "", exitDone},
		{"empty list", `{"tools":[]}`, noRow, "", exitDone},
		{"nothing", " \n\n", noRow, "tokens: the input holds nothing\n", exitFailed},
		{"malformed lines", a + "\n{\"name\":\n" + b + "\nx\ny\n", bothRows, "tokens: line 2: not JSON\ntokens: lines 4 to 5: not JSON\n", exitFailed},
		{"malformed first line", `{"name":"z","descr` + "\n" + a + "\n" + b, bothRows, "tokens: line 1: not JSON\n", exitFailed},
		{"first line that ends early", "{\n" + a + "\n" + b, bothRows, "tokens: line 1: not JSON\n", exitFailed},
		{"first line that ends wrongly", "{]\n" + a, oneRow, "tokens: line 1: not JSON\n", exitFailed},
		{"document cut off", strings.TrimSuffix(pretty(`{"tools":[`+b+`]}`), "}"), noRow, "tokens: lines 1 to 9: not JSON\n", exitFailed},
		{"no name", `{"tools":[{"title":"x"},` + a + `,{"name":""},7]}`, oneRow, "tokens: line 1: element 1 of the list: a tool without a name\ntokens: line 1: element 3 of the list: a tool without a name\ntokens: line 1: element 4 of the list: not a tool definition or a list of them\n", exitFailed},
		{"scalar", "7\n" + a, oneRow, "tokens: line 1: not a tool definition or a list of them\n", exitFailed},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, noRow, "tokens: line 1: a JSON-RPC error, not a list of tools\n", exitFailed},
		{"another result", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, noRow, "tokens: line 1: not a tool definition or a list of them\n", exitFailed},
		{
			"records about tools", `{"name":"query","tokens":30,"json":"{\"name\":\"query\"}"}` + "\n" + a, oneRow,
			"tokens: line 1: a record about a tool, not a tool: the definition is the text in its member \"json\"\n", exitFailed,
		},
		{"too deep", strings.Repeat("[", 10001) + strings.Repeat("]", 10001), noRow, "tokens: line 1: nested too deeply to read\n", exitFailed},
		{"names that a terminal would obey", `{"name":"\u001b[2J\u202e\u009b\\x\"é"}`, "  tokens  tool\n     ~" + fmt.Sprint(len(`{"name":"\u001b[2J\u202e\u009b\\x\"é"}`)) +
			`  \x1b[2J\u202e\u009b\\x"é` + "\n     ~39  total of 1 tool\nestimated as o200k_base:mcp-tool-json-v1\n", "", exitDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				var out, errs bytes.Buffer
				if code := runTokens([]string{"-"}, in, &out, &errs, length); code != c.code || out.String() != c.out || errs.String() != c.errs {
					t.Errorf("exit code %d, printed\n%s\nerrors\n%s", code, &out, &errs)
				}
			}
		})
	}
}

func TestTokensJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"name":"a"}` + "\n" + `{"name":"\u001b\u009b\u202e\ud83d\ude00\udb40\udc01<"}`, `{"method":"o200k_base:mcp-tool-json-v1","tools":[
{"name":"a","tokens":12},
{"name":"\u001b\u009b\u202e😀\udb40\udc01\u003c","tokens":54}
],"count":2,"total":66}
`},
		{`[]`, "{\"tools\":[],\"count\":0}\n"},
	} {
		var out, errs bytes.Buffer
		if code := runTokens([]string{"--json", "-"}, strings.NewReader(c.in), &out, &errs, length); code != exitDone || out.String() != c.want || !json.Valid(out.Bytes()) {
			t.Errorf("exit code %d, printed\n%s\nerrors %s", code, &out, &errs)
		}
	}
}

// The figures are the explorer's own.
func TestTokensEstimate(t *testing.T) {
	var out, errs bytes.Buffer
	const query = `{"name":"query","description":"Run a read-only SQL query","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}}}`
	if code := runTokens([]string{"-"}, strings.NewReader(query), &out, &errs, tokens.Estimate); code != exitDone || !strings.Contains(out.String(), "~30  query\n") {
		t.Errorf("exit code %d, printed\n%s\nerrors %s", code, &out, &errs)
	}
}

// Without a tokenizer there is no number.
func TestTokensUnavailable(t *testing.T) {
	var out, errs bytes.Buffer
	code := runTokens([]string{"-"}, strings.NewReader(`{"name":"a"}`), &out, &errs, func([]byte) (int, error) { return 0, tokens.ErrUnavailable })
	if code != exitFailed || strings.Contains(out.String(), "~") || strings.Contains(out.String(), "o200k") || errs.String() != "tokens: tokenizer unavailable\n" {
		t.Errorf("exit code %d, printed\n%s\nerrors %s", code, &out, &errs)
	}
}

func TestTokensArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "-list.json")
	if err := os.WriteFile(file, []byte(`{"name":"a"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(file))
	for _, c := range []struct {
		args []string
		code int
		part string // of what was printed
	}{
		{nil, exitUsage, "one file is needed"},
		{[]string{"a", "b"}, exitUsage, "one file is needed"},
		{[]string{"--jsn", "-"}, exitUsage, `no option "--jsn"`},
		{[]string{"--help"}, exitDone, "Usage:"},
		{[]string{"no\x1bfile"}, exitUsage, `no\x1bfile`},
		{[]string{"."}, exitUsage, "directory"},
		{[]string{file}, exitDone, "~12  a"},
		{[]string{file, "--json"}, exitDone, `"tokens":12`},
		{[]string{"--", "-list.json"}, exitDone, "~12  a"},
	} {
		var out, errs bytes.Buffer
		code := runTokens(c.args, iotest.ErrReader(errors.New("not to be read")), &out, &errs, length)
		if code != c.code || !strings.Contains(out.String()+errs.String(), c.part) || (errs.Len() > 0) != (code != exitDone) {
			t.Errorf("%q: exit code %d, printed %q, errors %q", c.args, code, &out, &errs)
		}
	}
	var out, errs bytes.Buffer
	if code := runTokens([]string{"-"}, iotest.ErrReader(errors.New("broken\x1b")), &out, &errs, length); code != exitUsage || errs.String() != "tokens: broken\\x1b\n" {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
}

// A reader of ours that has enough, as head has, ends the work without a word; a full disk does not.
func TestTokensOutputEnds(t *testing.T) {
	endless := func() io.Reader {
		return io.MultiReader(strings.NewReader(strings.Repeat(`{"name":"a"}`+"\n", 20000)), iotest.ErrReader(errors.New("read to the end")))
	}
	r, w := io.Pipe()
	_ = r.Close()
	var errs bytes.Buffer
	if code := runTokens([]string{"-"}, endless(), w, &errs, length); code != exitDone || errs.Len() > 0 {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
	r, w = io.Pipe()
	_ = r.CloseWithError(errors.New("disk full"))
	if code := runTokens([]string{"-"}, endless(), w, &errs, length); code != exitFailed || errs.String() != "tokens: disk full\n" {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
}

// A line over the limit is passed over without being held, at the start and later.
func TestDocumentsLimit(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, c := range []struct{ in, took, faults string }{
		{"{}\n" + long + "\n[]\n", "1:{} 3:[]", "2:longer than 64 MiB"},
		{long + "\n[]", "2:[]", "1:longer than 64 MiB"},
		{"{\n" + long + "\n[]", "3:[]", "1:not JSON 2:longer than 64 MiB"},
		{"[\n" + strings.Repeat("1,\n", 100000) + "1]", "", ""},
	} {
		var took, faults []string
		err := documents(strings.NewReader(c.in), 100<<10, func(line int, value []byte) error {
			took = append(took, fmt.Sprintf("%d:%s", line, value))
			return nil
		}, func(line int, reason string) { faults = append(faults, fmt.Sprintf("%d:%s", line, reason)) })
		if c.took == "" { // a document over the limit is read as lines: each is named
			if err != nil || len(faults) != 100002 {
				t.Errorf("%d faults, %v", len(faults), err)
			}
			continue
		}
		if err != nil || strings.Join(took, " ") != c.took || strings.Join(faults, " ") != c.faults {
			t.Errorf("took %q, faults %q, %v", took, faults, err)
		}
	}
}

// FuzzDocuments: any input ends, values are JSON, and lines only grow.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte("{\n\"a\":1}\n[]\n"), 100)
	f.Add([]byte("{\"a\n{}\r\n\xff"), 4)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		last := 0
		at := func(line int) {
			if line <= last {
				t.Fatalf("line %d after %d", line, last)
			}
			last = line
		}
		err := documents(bytes.NewReader(in), limit, func(line int, value []byte) error {
			at(line)
			if !json.Valid(value) && !bytes.ContainsAny(value, "[{") {
				t.Fatalf("%q", value)
			}
			if definitions, _, err := definitionsOf(value); err == nil {
				for _, d := range definitions {
					_, _ = nameOf(d)
				}
			}
			return nil
		}, func(line int, _ string) { at(line) })
		if err != nil {
			t.Fatal(err)
		}
	})
}
