//go:build ignore

// Command pack builds the module and packs it with plugin.json, into which it
// writes the module's sha256: `go run pack.go`.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
)

func main() {
	if err := pack(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack() error {
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags", "-s -w", "-o", "plugin.wasm", ".")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	module, err := os.ReadFile("plugin.wasm")
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile("plugin.json")
	if err != nil {
		return err
	}
	var about struct{ ID, Version string }
	if err := json.Unmarshal(manifest, &about); err != nil {
		return fmt.Errorf("plugin.json: %w", err)
	}
	sum := sha256.Sum256(module)
	digest := regexp.MustCompile(`("sha256"\s*:\s*)"[^"]*"`)
	manifest = digest.ReplaceAll(manifest, []byte(`${1}"`+hex.EncodeToString(sum[:])+`"`))

	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range []struct {
		name string
		data []byte
	}{{"plugin.json", manifest}, {"plugin.wasm", module}} {
		w, err := z.Create(f.name)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	name := about.ID + "-" + about.Version + ".zip"
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Println(name)
	return nil
}
