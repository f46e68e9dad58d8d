package tokens

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// sharedFolder is the folder of reference counts, which is not part of the
// product: KANDEV_SHARED names its parent, or it is beside a folder above. It
// is empty where there is none.
func sharedFolder() string {
	if shared := os.Getenv("KANDEV_SHARED"); shared != "" {
		return filepath.Join(shared, "data")
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		data := filepath.Join(parent, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
	}
	return ""
}

func sharedData(t testing.TB) string {
	t.Helper()
	dir := sharedFolder()
	if dir == "" {
		t.Skip("no shared data")
	}
	return dir
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

func adversarial(t testing.TB) []vector {
	t.Helper()
	all := readLines(t, filepath.Join(sharedData(t), "o200k-adversarial.jsonl"))
	for i, v := range all {
		text, err := base64.StdEncoding.DecodeString(v.B64)
		if err != nil {
			t.Fatal(err)
		}
		all[i].Text = string(text)
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

func checkAll(t *testing.T, all []vector) {
	t.Helper()
	c := newCounter(t)
	for _, v := range all {
		if n := c.Count(v.Text); n != v.Tokens {
			t.Errorf("%q: %d, the reference says %d", v.Text, n, v.Tokens)
		}
	}
	t.Logf("%d texts", len(all))
}

func TestVectors(t *testing.T) { checkAll(t, readLines(t, filepath.Join("testdata", "vectors.jsonl"))) }

func TestSharedVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(sharedData(t), "o200k-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	checkAll(t, all)
}

func TestAdversarial(t *testing.T) { checkAll(t, adversarial(t)) }

func TestRealTools(t *testing.T) {
	c := newCounter(t)
	for _, v := range realTools(t) {
		n, err := c.Estimate([]byte(v.JSON))
		if err != nil || n != v.Tokens {
			t.Errorf("%s: %d, %v, the reference says %d", v.Name, n, err, v.Tokens)
		}
	}
}

// The rule leaves out few texts, and the module agrees on all others.
func TestModuleIsAnOracle(t *testing.T) {
	left, all := 0, adversarial(t)
	for _, v := range realTools(t) {
		if deviates(v.JSON) || moduleCount(t, v.JSON) != v.Tokens {
			t.Errorf("%s: the module is wrong or left out", v.Name)
		}
	}
	for _, v := range all {
		if deviates(v.Text) {
			left++
		} else if n := moduleCount(t, v.Text); n != v.Tokens {
			t.Errorf("%q: the module says %d, the reference %d", v.Text, n, v.Tokens)
		}
	}
	t.Logf("%d compared, %d left out", len(all)-left, left)
	if left > len(all)/20 {
		t.Errorf("the rule leaves out %d of %d", left, len(all))
	}
}
