//go:build unix

package tokens

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Figures of processes of their own: first counts, Node, and small programs.

// child runs one test of this binary as a new process and returns the number it
// prints, the least of several runs.
func child(t *testing.T, what string, runs int) float64 {
	t.Helper()
	least := math.Inf(1)
	for range runs {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFigureChild$", "-test.v")
		cmd.Env = append(os.Environ(), "KANDEV_TOKENS_CHILD="+what)
		least = min(least, printed(t, cmd))
	}
	return least
}

// printed runs a command and returns what stands behind "figure " in its output.
func printed(t *testing.T, cmd *exec.Cmd) float64 {
	t.Helper()
	out, err := cmd.CombinedOutput()
	_, rest, found := strings.Cut(string(out), "figure ")
	word, _, _ := strings.Cut(rest, "\n")
	n, err2 := strconv.ParseFloat(word, 64)
	if err != nil || !found || err2 != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return n
}

func TestFigureChild(t *testing.T) {
	tool := `{"name":"echo","description":"Echoes back the input","inputSchema":{"type":"object"}}`
	switch os.Getenv("KANDEV_TOKENS_CHILD") {
	case "first":
		start := time.Now()
		_, err := Estimate([]byte(tool))
		took := time.Since(start)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(os.Stdout, "\nfigure %f\n", float64(took)/float64(time.Millisecond))
	case "pass":
		tools := realTools(t)
		Count("x") // loads; Node has loaded as well
		took := cpuOf(func() {
			for _, v := range tools {
				Count(v.JSON)
			}
		})
		fmt.Fprintf(os.Stdout, "\nfigure %f\n", took.Seconds())
	default:
		t.Skip("for the figures only")
	}
}

func TestFigureFirst(t *testing.T) {
	figures(t)
	atMost(t, "tokens_first_ms", child(t, "first", 9), 15, "ms")
}

// The first pass over all tools in a new process, without loading, against npm
// gpt-tokenizer, the fastest for Node.
func TestFigureGPTTokenizer(t *testing.T) {
	figures(t)
	dir := npmInstall(t, "gpt-tokenizer@4.0.0")
	var texts []string
	for _, v := range realTools(t) {
		texts = append(texts, v.JSON)
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	script := `const { countTokens } = require('gpt-tokenizer/encoding/o200k_base');
		const texts = JSON.parse(require('fs').readFileSync('texts.json', 'utf8'));
		countTokens('x');
		const start = process.cpuUsage();
		for (const text of texts) countTokens(text);
		const used = process.cpuUsage(start);
		console.log('figure ' + (used.user + used.system) / 1e6);`
	for name, content := range map[string][]byte{"texts.json": data, "pass.cjs": []byte(script)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	node := math.Inf(1)
	for range 3 {
		cmd := exec.CommandContext(t.Context(), "node", "pass.cjs")
		cmd.Dir = dir
		node = min(node, printed(t, cmd))
	}
	ours := child(t, "pass", 3)
	t.Logf("Node %.3f s, ours %.3f s", node, ours)
	atLeast(t, "tokens_vs_gpt_tokenizer", node/ours, 3, "ratio")
}

// What the counter adds to a small program: bytes of binary, memory in use
// after the first count.
func TestFigureSize(t *testing.T) {
	figures(t)
	const program = `package main
import ("fmt"; "os"; "strings"%s)
func main() {
	%s
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	fmt.Println("figure", strings.Fields(rest + " 0")[0])
}`
	size, memory := [2]float64{}, [2]float64{}
	for i, text := range []string{
		fmt.Sprintf(program, "", ""),
		fmt.Sprintf(program, `; "kandev/backend/tokens"`, `if n, err := tokens.Estimate([]byte("{\"name\":\"echo\"}")); n != 5 || err != nil { panic(n) }`),
	} {
		bin := build(t, text)
		info, err := os.Stat(bin)
		if err != nil {
			t.Fatal(err)
		}
		size[i] = float64(info.Size()) / 1e6
		memory[i] = math.Inf(1)
		for range 5 {
			memory[i] = min(memory[i], printed(t, exec.CommandContext(t.Context(), bin))/1e3)
		}
	}
	t.Logf("MB of binary %.2f, of memory %.2f", size, memory)
	atMost(t, "tokens_binary_mb", size[1]-size[0], 2, "MB")
	if memory[0] == 0 {
		t.Skip("no /proc")
	}
	atMost(t, "tokens_rss_mb", memory[1]-memory[0], 8, "MB")
}

// build makes a program that stands in this module only for the compiler.
func build(t *testing.T, text string) (bin string) {
	t.Helper()
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source, overlay, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "bin")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "size", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{source: []byte(text), overlay: replace} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-overlay", overlay, "-o", bin, "./size")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
