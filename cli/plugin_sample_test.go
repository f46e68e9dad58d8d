package cli

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend/wasm/guests"
)

// A small plugin for most tests: it compiles in no time, also under the race detector. Its tool gives back what the
// module was called with.
const sampleManifest = `{
  "manifest_version": 1,
  "id": "weather.v1", "name": "Weather", "version": "1.0.0",
  "min_app_version": "0.1.0",
  "wasm": {"file": "plugin.wasm", "sha256": "PUT THE SHA256 OF plugin.wasm HERE", "abi": "mcp-servlet-v1"},
  "tools": [{"name": "echo", "description": "Gives back what it gets",
    "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}],
  "permissions": {"hosts": [], "private_network": false, "memory_mb": 32, "timeout_ms": 5000},
  "config": {"greeting": {"type": "string", "title": "Greeting"}}
}`

func sampleModule() []byte { return guests.Of("describe", "call", guests.Echo()).Wasm() }

// bare is the sample's module alone.
func bare(t *testing.T) string { return write(t, "plugin.wasm", sampleModule()) }

// sample is the sample's package.
func sample(t *testing.T) string { return changed(t, "", "") }

// changed is the sample's package with a part of its plugin.json replaced.
func changed(t *testing.T, part, by string) string {
	t.Helper()
	if !strings.Contains(sampleManifest, part) {
		t.Fatalf("no %q in plugin.json", part)
	}
	module := sampleModule()
	sum := sha256.Sum256(module)
	manifest := strings.Replace(sampleManifest, part, by, 1)
	manifest = strings.Replace(manifest, shaText, hex.EncodeToString(sum[:]), 1)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, data := range map[string][]byte{"plugin.json": []byte(manifest), "plugin.wasm": module} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "changed.zip", out.Bytes())
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
