package tokens

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

var update = flag.Bool("update", false, "write merges.bin and classes.txt again")

// published is the SHA-256 of o200k_base.tiktoken in OpenAI's
// tiktoken_ext/openai_public.py.
const published = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

// digest is that of the file which a vocabulary was published as: a line for
// each token with its bytes in base64 and its rank.
func digest(tokens []string) string {
	h := sha256.New()
	for rank, token := range tokens {
		fmt.Fprintf(h, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), rank)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// moduleTokens are the bytes of all tokens by rank, from the module.
var moduleTokens = sync.OnceValue(func() []string {
	o200k := codec.NewO200kBase()
	tokens := make([]string, 0, tokenCount)
	for id := range uint(tokenCount) {
		token, err := o200k.Decode([]uint{id})
		if err != nil {
			return nil
		}
		tokens = append(tokens, token)
	}
	return tokens
})

func TestMergeList(t *testing.T) {
	tokens := moduleTokens()
	if got := digest(tokens); got != published {
		t.Fatalf("the module's vocabulary is %s, not %s", got, published)
	}
	var list []byte
	ranks := ranksOf(tokens)
	for rank, token := range tokens {
		if rank < 256 {
			list = append(list, token...)
			continue
		}
		parts := slowMerge(ranks, []byte(token), rank)
		if len(parts) != 2 {
			t.Fatalf("token %d, %q, is not joined from two but from %q", rank, token, parts)
		}
		list = binary.AppendUvarint(list, uint64(ranks[parts[0]]))
		list = binary.AppendUvarint(list, uint64(ranks[parts[1]]))
	}
	if *update {
		if err := os.WriteFile("merges.bin", list, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(list, mergeList) {
		t.Error("merges.bin is not what the module gives; go generate ./backend/tokens")
	}
}

// What is embedded is the published vocabulary, whatever it was made from.
func TestMergeListIsThePublishedVocabulary(t *testing.T) {
	var tokens []string
	for _, b := range mergeList[:256] {
		tokens = append(tokens, string([]byte{b}))
	}
	most := 0
	for rest := mergeList[256:]; len(rest) > 0; {
		left, n := binary.Uvarint(rest)
		right, m := binary.Uvarint(rest[n:])
		rest = rest[n+m:]
		tokens = append(tokens, tokens[left]+tokens[right])
		most = max(most, len(tokens[len(tokens)-1]))
	}
	if got := digest(tokens); got != published {
		t.Errorf("merges.bin is the vocabulary %s, not %s", got, published)
	}
	if most != longest {
		t.Errorf("the longest token has %d bytes, not %d", most, longest)
	}
}

// The classes of the reference need npm and its registry, so this runs with
// -update and with the figures.
func TestClassRanges(t *testing.T) {
	if !*update && os.Getenv("KANDEV_FIGURES") == "" {
		t.Skip("neither -update nor KANDEV_FIGURES")
	}
	dir := npmInstall(t, "tiktoken@1.0.22")
	script, err := filepath.Abs(filepath.Join("testdata", "classes.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", script)
	node.Dir = dir
	ranges, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("classes.txt", ranges, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(ranges) != classRanges {
		t.Error("classes.txt is not what the reference says")
	}
}

// npmInstall puts one package into a folder of the test's own and returns it.
// It skips the test where there is no Node or no registry.
func npmInstall(t *testing.T, name string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	npm := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", name)
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("npm install %s: %v\n%s", name, err, out)
	}
	return dir
}
