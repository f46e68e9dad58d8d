package wasm

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kandev/backend/plugin"
	"kandev/backend/tool"
)

const helloSource = "../../examples/plugins/hello-go"

// helloModule builds the example plugin once a test run, as its page says.
var helloModule = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "hello")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "plugin.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags", "-s -w", "-o", out, ".")
	cmd.Dir = helloSource
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return text, err
	}
	return os.ReadFile(out)
})

func hello(t testing.TB) []byte {
	t.Helper()
	wasm, err := helloModule()
	if err != nil {
		t.Fatalf("%v: %s", err, wasm)
	}
	return wasm
}

// helloPackage is the .zip that an author would make.
func helloPackage(t testing.TB) plugin.Package {
	t.Helper()
	wasm := hello(t)
	manifest, err := os.ReadFile(filepath.Join(helloSource, "plugin.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(wasm)
	manifest = bytes.Replace(manifest, []byte("PUT THE SHA256 OF plugin.wasm HERE"), []byte(hex.EncodeToString(sum[:])), 1)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, data := range map[string][]byte{"plugin.json": manifest, "plugin.wasm": wasm} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := plugin.Read(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHelloExample(t *testing.T) {
	pkg := helloPackage(t)
	if len(pkg.Manifest.Warnings) > 0 {
		t.Error(pkg.Manifest.Warnings)
	}
	greeting := ""
	grant := pkg.Manifest.Permissions.Granted()
	grant.TimeoutMS = 60_000 // the machine may be busy, and the race detector slow
	p, err := Open(Options{
		Manifest: pkg.Manifest, Grant: grant,
		Module: func() ([]byte, error) { return pkg.Wasm, nil },
		Config: func(_ context.Context, key string) (string, bool) {
			return greeting, key == "greeting" && greeting != ""
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	set, refused := tool.NewSet(1, p.Definitions()...)
	if len(refused) > 0 || len(set.Warnings()) > 0 {
		t.Fatal(refused, set.Warnings())
	}
	def, ok := set.Lookup("kandev_example_hello_hello")
	if !ok {
		t.Fatal("the tool has another name")
	}
	call := func(arguments string) tool.Result {
		r, _ := set.Call(t.Context(), def, tool.Call{Arguments: json.RawMessage(arguments)}, tool.Limits{})
		return r
	}
	if r := call(`{"name":"Ada"}`); r.IsError || r.Text != "Hello, Ada!" {
		t.Errorf("%+v", r)
	}
	greeting = "Grüß Gott"
	if r := call(`{"name":"Ada"}`); r.IsError || r.Text != "Grüß Gott, Ada!" {
		t.Errorf("%+v", r)
	}
	if r := call(`{}`); !r.IsError || !strings.Contains(r.Text, "name") {
		t.Errorf("%+v", r)
	}
	long := strings.Repeat("x", 50_000)
	if r := call(`{"name":"` + long + `"}`); r.IsError || len(r.Text) < len(long) {
		t.Errorf("%.100s", r.Text)
	}
	if raced {
		return // a trial run has 2 s, which the detector alone may take
	}
	abi, tools, err := Describe(t.Context(), pkg.Wasm)
	if err != nil || abi != plugin.ABIServlet || len(tools) != 1 || tools[0].Name != pkg.Manifest.Tools[0].Name {
		t.Errorf("%s %+v %v", abi, tools, err)
	}
}
