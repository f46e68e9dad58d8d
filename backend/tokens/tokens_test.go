package tokens

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
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

// Chunks of any size add up to what the module counts in one piece, also where
// the module is wrong.
func TestChunksKeepEveryCount(t *testing.T) {
	c := newCounter(t)
	texts := []string{"", " ", "a b\"c 1 2", "a \n \n\tb", "!\n/ \n \r\n\r\n \u0085\n\u2028 x", strings.Repeat("it's 12345 \"don't\" ", 50)}
	for _, v := range readLines(t, "testdata/vectors.jsonl") {
		texts = append(texts, v.Text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	symbols := []string{"a", "B", "'s", "7", " ", "  ", "\n", "\r", "\t", "\"", "/", "!", "\u0085", "\u00a0", "漢", "e\u0301", "\x7f", "\xff", "😀"}
	for range 3000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(symbols[random.IntN(len(symbols))])
		}
		texts = append(texts, b.String())
	}
	for _, text := range texts {
		want, err := c.codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{0, 1, 7, chunkSize} {
			if n, _ := c.count(text, size); n != want {
				t.Fatalf("%q in chunks of %d: %d, not %d", text, size, n, want)
			}
		}
	}
}

// The worst known inputs. The module alone needs seconds for 64 KiB of the
// first and a minute for 256 KiB; in chunks it is some 20 ms.
func TestLinearTime(t *testing.T) {
	c := newCounter(t)
	for unit, size := range map[string]int{
		"\n ": 64 << 10, "\r\n\t": 64 << 10, "\n\u00a0": 64 << 10,
		" ": 16 << 10, "\n": 16 << 10, "a": 16 << 10, "漢": 16 << 10, "a ": 16 << 10, `"`: 16 << 10,
		"\x7f": 16 << 10, "\xff": 16 << 10, "Z9": 16 << 10, "<|endoftext|>": 16 << 10,
	} {
		start := time.Now()
		c.Count(strings.Repeat(unit, size/len(unit)))
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}

// What the module gets at once stays small, and nothing is lost between.
func TestChunksAreSmall(t *testing.T) {
	row := `{"type":"string","description":"one of many rows of a table"},`
	for text, limit := range map[string]int{
		strings.Repeat(row, 20_000):                chunkSize + len(row),
		`"a` + strings.Repeat("\n ", 50_000) + `"`: 3,
		strings.Repeat("\n", 10):                   10,
		"":                                         0,
	} {
		var all strings.Builder
		for chunk := range chunks(text, chunkSize) {
			all.WriteString(chunk)
			if len(chunk) > limit {
				t.Errorf("%.20q: a chunk of %d bytes", text, len(chunk))
			}
		}
		if all.String() != text {
			t.Errorf("%.20q: the chunks are not the text", text)
		}
	}
}

func TestSameAcrossCacheStates(t *testing.T) {
	c := newCounter(t)
	for i := range cacheEntries * 2 {
		text := strconv.Itoa(i)
		want := (len(text) + 2) / 3 // digits in threes
		if n := c.Count(text); n != want {
			t.Fatalf("%s: %d, not %d", text, n, want)
		}
		if n := c.Count(text); n != want {
			t.Fatalf("%s again: %d, not %d", text, n, want)
		}
		if n := c.cache.len(); n > cacheEntries {
			t.Fatalf("%d cached entries", n)
		}
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	var c cache
	used := keyOf("used")
	c.put(used, 7)
	for i := range cacheEntries * 3 {
		c.put(keyOf(strconv.Itoa(i)), i)
		if n, ok := c.get(used); !ok || n != 7 {
			t.Fatalf("after %d others: %d, %v", i, n, ok)
		}
	}
	if _, ok := c.get(keyOf("0")); ok {
		t.Error("the oldest entry is still there")
	}
}

func TestConcurrentUse(t *testing.T) {
	c := newCounter(t)
	vectors := readLines(t, "testdata/vectors.jsonl")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				for _, v := range vectors {
					if n := c.Count(v.Text); n != v.Tokens && !deviates(v.Text) {
						t.Errorf("%q: %d, not %d", v.Text, n, v.Tokens)
					}
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
