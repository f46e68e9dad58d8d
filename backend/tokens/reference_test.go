package tokens

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode"
)

// sharedData is the folder of reference counts, which is not part of the
// product: KANDEV_SHARED names its parent, or it is beside a folder above.
func sharedData(t testing.TB) string {
	t.Helper()
	if shared := os.Getenv("KANDEV_SHARED"); shared != "" {
		return filepath.Join(shared, "data")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		data := filepath.Join(parent, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
	}
	t.Skip("no shared data")
	return ""
}

type vector struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	JSON   string `json:"json"`
	B64    string `json:"b64"`
	Tokens int    `json:"tokens"`
}

func readLines(t testing.TB, path string) (all []vector) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func realTools(t testing.TB) (all []vector) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sharedData(t), "tools", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skip("no real tools")
	}
	for _, file := range files {
		all = append(all, readLines(t, file)...)
	}
	return all
}

func newCounter(t testing.TB) *Counter {
	t.Helper()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// deviates is the rule that leaves out the known differences, and only them.
// Each of them has a test in deviation_test.go.
func deviates(text string) bool {
	broken, blank := false, false // inside one run of white space
	for _, r := range text {
		switch {
		case r == 0x7f || !assigned(r):
			return true
		case r == '\r' || r == '\n':
			if broken && blank {
				return true
			}
			broken = true
		case unicode.IsSpace(r):
			blank = blank || broken
		default:
			broken, blank = false, false
		}
	}
	return false
}

// newLetters spans the letters, marks and digits that Unicode 15.1 and 16.0
// added, block by block. Go's tables may know them one day: then the rule, not
// the table, lets them in again.
var newLetters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0897, 0x0897, 1}, {0x1b4e, 0x1b7f, 1}, {0x1c89, 0x1c8a, 1}, {0xa7cb, 0xa7dc, 1},
	},
	R32: []unicode.Range32{
		{0x105c0, 0x105f3, 1}, {0x10d40, 0x10d8f, 1}, {0x10ec2, 0x10efc, 1}, {0x11380, 0x113e2, 1},
		{0x116d0, 0x116e3, 1}, {0x11bc0, 0x11bf9, 1}, {0x11f5a, 0x11f5a, 1}, {0x13460, 0x143fa, 1},
		{0x16100, 0x16139, 1}, {0x16d40, 0x16d79, 1}, {0x1ccf0, 0x1ccf9, 1}, {0x1e5d0, 0x1e5fa, 1},
		{0x2ebf0, 0x2ee5d, 1},
	},
}

// assigned says whether Go's tables class the character as the reference does.
func assigned(r rune) bool {
	return !unicode.Is(newLetters, r) || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

func TestVectors(t *testing.T) {
	c := newCounter(t)
	compared := 0
	for _, v := range readLines(t, filepath.Join("testdata", "vectors.jsonl")) {
		if deviates(v.Text) {
			continue
		}
		compared++
		if n := c.Count(v.Text); n != v.Tokens {
			t.Errorf("%q: %d, the reference says %d", v.Text, n, v.Tokens)
		}
	}
	if compared < 20 {
		t.Errorf("only %d vectors were compared", compared)
	}
}

func TestAdversarial(t *testing.T) {
	c := newCounter(t)
	left := 0
	all := readLines(t, filepath.Join(sharedData(t), "o200k-adversarial.jsonl"))
	for _, v := range all {
		raw, err := base64.StdEncoding.DecodeString(v.B64)
		if err != nil {
			t.Fatal(err)
		}
		if deviates(string(raw)) {
			left++
			continue
		}
		if n := c.Count(string(raw)); n != v.Tokens {
			t.Errorf("%q: %d, the reference says %d", raw, n, v.Tokens)
		}
	}
	t.Logf("%d compared, %d left out", len(all)-left, left)
	if left > len(all)/20 {
		t.Errorf("the rule leaves out %d of %d", left, len(all))
	}
}

func TestRealTools(t *testing.T) {
	c := newCounter(t)
	for _, v := range realTools(t) {
		n, err := c.Estimate([]byte(v.JSON))
		if err != nil || n != v.Tokens {
			t.Errorf("%s: %d, %v, the reference says %d", v.Name, n, err, v.Tokens)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	tools := realTools(b)
	c := newCounter(b)
	var size int64
	for _, v := range tools {
		size += int64(len(v.JSON))
	}
	b.Run("new", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			c.cache = cache{}
			for _, v := range tools {
				_, _ = c.Estimate([]byte(v.JSON))
			}
		}
	})
	b.Run("cached", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			for _, v := range tools {
				_, _ = c.Estimate([]byte(v.JSON))
			}
		}
	})
}
