package plugin

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Package is a file that was read and found sound.
type Package struct {
	Manifest Manifest // the zero value for a bare module, see Bare
	Raw      []byte   // plugin.json as it was; nil for a bare module
	Wasm     []byte   // the module, not looked into yet
	SHA256   string   // of Wasm, 64 lower-case hex digits
	Bare     bool     // no manifest came with it: its tools are found by running it
}

const manifestFile = "plugin.json"

// Read takes a .zip with a plugin.json, or a bare .wasm, by what it holds and
// not by its name. Nothing is unpacked to a disk, and only the manifest and the
// module it names are read at all. The error wraps ErrPackage, and ErrManifest
// where the manifest is at fault.
func Read(data []byte) (Package, error) {
	p, err := read(data)
	if err != nil {
		return Package{}, fmt.Errorf("%w: %w", ErrPackage, err)
	}
	return p, nil
}

func read(data []byte) (Package, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x00asm")):
		if len(data) > MaxWasm {
			return Package{}, fmt.Errorf("the module has %d bytes, at most %d are allowed", len(data), MaxWasm)
		}
		return Package{Wasm: data, SHA256: digest(data), Bare: true}, nil
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readZip(data)
	case len(data) == 0:
		return Package{}, errors.New("the file is empty")
	}
	return Package{}, errors.New("the file is neither a .zip with a plugin.json nor a WebAssembly module")
}

func readZip(data []byte) (Package, error) {
	if len(data) > MaxZip {
		return Package{}, fmt.Errorf("the .zip has %d bytes, at most %d are allowed", len(data), MaxZip)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Package{}, errors.New("the .zip is damaged")
	}
	files, err := listZip(z)
	if err != nil {
		return Package{}, err
	}
	entry := files[manifestFile]
	if entry == nil {
		return Package{}, errors.New("the .zip holds no plugin.json at its top; a folder around it is one too many")
	}
	raw, err := unpack(entry, MaxManifest)
	if err != nil {
		return Package{}, err
	}
	m, err := Parse(raw)
	if err != nil {
		return Package{}, err
	}
	entry = files[m.Wasm.File]
	if entry == nil {
		return Package{}, fmt.Errorf("the .zip holds no %s, which plugin.json names", m.Wasm.File)
	}
	wasm, err := unpack(entry, MaxWasm)
	if err != nil {
		return Package{}, err
	}
	if sum := digest(wasm); sum != m.Wasm.SHA256 {
		return Package{}, fmt.Errorf("%s is not the file plugin.json was made for: its sha256 is %s", m.Wasm.File, sum)
	}
	return Package{Manifest: m, Raw: raw, Wasm: wasm, SHA256: m.Wasm.SHA256}, nil
}

// listZip checks the name and kind of every entry, also of those that are never
// read: a package that tries to escape is refused as a whole.
func listZip(z *zip.Reader) (map[string]*zip.File, error) {
	if len(z.File) > MaxZipEntries {
		return nil, fmt.Errorf("the .zip has %d entries, at most %d are allowed", len(z.File), MaxZipEntries)
	}
	files, seen := map[string]*zip.File{}, map[string]bool{}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00") || !printable(name) {
			return nil, fmt.Errorf("the .zip has an entry with the path %.80q, which leads elsewhere", f.Name)
		}
		folded := strings.ToLower(name)
		if seen[folded] {
			return nil, fmt.Errorf("the .zip has %.80q twice", name)
		}
		seen[folded] = true
		mode := f.Mode()
		switch {
		case mode.IsDir():
		case !mode.IsRegular():
			return nil, fmt.Errorf("the .zip has %.80q, which is a link or device and not a file", name)
		case f.Flags&0x1 != 0:
			return nil, fmt.Errorf("the .zip has %.80q encrypted", name)
		default:
			files[name] = f
		}
	}
	return files, nil
}

// unpack reads one entry. Neither the size it claims nor how far it would
// unpack is trusted.
func unpack(f *zip.File, limit int) ([]byte, error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are allowed", f.Name, f.UncompressedSize64, limit)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be unpacked", f.Name)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("%s is damaged", f.Name)
	}
	if len(data) > limit {
		return nil, fmt.Errorf("%s unpacks to more than the %d bytes that are allowed", f.Name, limit)
	}
	return data, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Verify reports whether a module is still the one that was installed. It is
// asked at every load.
func Verify(wasm []byte, sha256Hex string) error {
	if len(wasm) > MaxWasm {
		return fmt.Errorf("%w: the module has %d bytes, at most %d are allowed", ErrPackage, len(wasm), MaxWasm)
	}
	if digest(wasm) != strings.ToLower(sha256Hex) {
		return fmt.Errorf("%w: the module's file changed since it was installed", ErrPackage)
	}
	return nil
}
