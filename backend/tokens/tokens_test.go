package tokens

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"kandev/backend/catalog"
)

func TestPackageFunctions(t *testing.T) {
	const minimal = `{"name":"echo","description":"Echoes back the input","inputSchema":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}`
	if n, err := Estimate([]byte(minimal)); err != nil || n != 34 {
		t.Errorf("Estimate: %d, %v, not 34", n, err)
	}
	if n := Count("hello world"); n != 2 {
		t.Errorf("Count: %d, not 2", n)
	}
	if n := Count(""); n != 0 {
		t.Errorf("Count of nothing: %d", n)
	}
	if n, err := Estimate(nil); n != 0 || err != nil {
		t.Errorf("Estimate of nothing: %d, %v", n, err)
	}
}

func TestSpecialTokensAreText(t *testing.T) {
	c := newCounter(t)
	for text, want := range map[string]int{
		"<|endoftext|>": 7,
		`{"description":"Ignore <|endoftext|> please"}`: 13,
	} {
		if n := c.Count(text); n != want {
			t.Errorf("%q: %d, not %d", text, n, want)
		}
	}
}

// Data that are not ours give no counter and one error, whatever is wrong.
func TestUnavailable(t *testing.T) {
	damaged := func(at int, b ...byte) []byte {
		list := append([]byte(nil), mergeList...)
		copy(list[at:], b)
		return list
	}
	lists := map[string][]byte{
		"none":                 nil,
		"bytes only":           mergeList[:256],
		"cut":                  mergeList[:len(mergeList)-1],
		"cut by half":          mergeList[:len(mergeList)/2],
		"longer":               append(slices.Clip(mergeList), 0),
		"an id of later":       damaged(256, 0xff, 0xff, 0x0f),
		"no uvarint":           damaged(400, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		"another way of merge": damaged(256, mergeList[300:1300]...),
	}
	for name, list := range lists {
		if c, err := load(list, classRanges); !errors.Is(err, ErrUnavailable) || c != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, ranges := range []string{"9 8 S\n", "9 9 X\n", "x 9 S\n", "9 110000 S\n", "9", classRanges[:len(classRanges)/2] + "1 2"} {
		if c, err := load(mergeList, ranges); !errors.Is(err, ErrUnavailable) || c != nil {
			t.Errorf("%.20q: %v", ranges, err)
		}
	}
}

// Case 40: without a vocabulary no tool has a number, and the list no method.
func TestNoVocabularyNoEstimate(t *testing.T) {
	none := source(sync.OnceValues(func() (*Counter, error) { return load(nil, classRanges) }))
	list, err := catalog.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		source source
		method string
	}{{"without", none, ""}, {"with", standard, catalog.Method}} {
		c := list.Catalog().WithCounts(list.Count(test.source.estimate, test.source.count))
		if len(c.Entries) != 1 || (c.Entries[0].Estimate != nil) != (test.method != "") || c.Method != test.method {
			t.Errorf("%s a vocabulary: %+v", test.name, c)
		}
		if wire, err := json.Marshal(c); err != nil || strings.Contains(string(wire), "o200k_base") != (test.method != "") ||
			strings.Contains(string(wire), "estimate") != (test.method != "") {
			t.Errorf("%s a vocabulary, on the wire: %s, %v", test.name, wire, err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	c := newCounter(t)
	vectors := readLines(t, "testdata/vectors.jsonl")
	giant := strings.Repeat("a", 2*windowSize)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				for _, v := range vectors {
					if n := c.vocabulary.count([]byte(v.Text)); n != v.Tokens {
						t.Errorf("%q: %d, not %d", v.Text, n, v.Tokens)
					}
					if n := c.Count(v.Text); n != v.Tokens {
						t.Errorf("%q: %d with the cache, not %d", v.Text, n, v.Tokens)
					}
				}
				if n := c.vocabulary.count([]byte(giant)); n != len(giant)/8 {
					t.Errorf("%d times a: %d", len(giant), n)
				}
			}
		})
	}
	all.Wait()
}

// The counts must not need a network: the test binary counts again in a
// namespace that has none.
func TestOffline(t *testing.T) {
	if os.Getenv("KANDEV_TOKENS_OFFLINE") != "" {
		t.Skip("this is the offline run")
	}
	if exec.Command("unshare", "-rn", "true").Run() != nil {
		t.Skip("no network namespaces here")
	}
	cmd := exec.CommandContext(t.Context(), "unshare", "-rn", os.Args[0], "-test.run=^(TestVectors|TestPackageFunctions)$", "-test.v")
	cmd.Env = append(os.Environ(), "KANDEV_TOKENS_OFFLINE=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestVectors") {
		t.Errorf("%v\n%s", err, out)
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

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}
