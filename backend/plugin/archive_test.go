package plugin

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

var module = []byte("\x00asm\x01\x00\x00\x00")

type entry struct {
	name string
	data []byte
	mode fs.FileMode
}

func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func manifestFor(wasm []byte) entry {
	return entry{name: "plugin.json", data: []byte(strings.Replace(sound, strings.Repeat("0", 64), digest(wasm), 1))}
}

func TestRead(t *testing.T) {
	good, wasm := manifestFor(module), entry{name: "plugin.wasm", data: module}
	bomb := entry{name: "plugin.wasm", data: make([]byte, MaxWasm+1)}
	var crowd []entry
	for i := range MaxZipEntries + 1 {
		crowd = append(crowd, entry{name: strings.Repeat("x", i+1)})
	}
	for name, c := range map[string]struct {
		data []byte
		part string // of the refusal; empty: accepted
	}{
		"zip":               {zipOf(t, good, wasm, entry{name: "README.md"}, entry{name: "docs/"}), ""},
		"bare":              {module, ""},
		"empty":             {nil, "empty"},
		"text":              {[]byte("hello"), "neither"},
		"empty zip":         {zipOf(t), "neither"},
		"cut zip":           {zipOf(t, good, wasm)[:200], "damaged"},
		"no manifest":       {zipOf(t, wasm), "no plugin.json"},
		"folder around":     {zipOf(t, entry{name: "x/plugin.json", data: good.data}, wasm), "one too many"},
		"no module":         {zipOf(t, good), "no plugin.wasm"},
		"other module":      {zipOf(t, good, entry{name: "plugin.wasm", data: []byte("\x00asm!")}), "sha256"},
		"climbs":            {zipOf(t, good, wasm, entry{name: "../evil"}), "leads elsewhere"},
		"climbs inside":     {zipOf(t, good, wasm, entry{name: "a/../../evil"}), "leads elsewhere"},
		"absolute":          {zipOf(t, good, wasm, entry{name: "/etc/x"}), "leads elsewhere"},
		"drive":             {zipOf(t, good, wasm, entry{name: "C:evil"}), "leads elsewhere"},
		"backslash":         {zipOf(t, good, wasm, entry{name: `..\evil`}), "leads elsewhere"},
		"no name":           {zipOf(t, good, wasm, entry{name: ""}), "leads elsewhere"},
		"link":              {zipOf(t, good, wasm, entry{name: "l", data: []byte("/etc/passwd"), mode: fs.ModeSymlink | 0o777}), "link"},
		"manifest is a dir": {zipOf(t, entry{name: "plugin.json/", mode: fs.ModeDir | 0o755}, wasm), "no plugin.json"},
		"manifest twice":    {zipOf(t, good, good, wasm), "twice"},
		"twice by case":     {zipOf(t, good, wasm, entry{name: "Plugin.WASM", data: module}), "twice"},
		"65 entries":        {zipOf(t, append(crowd, good, wasm)...), "entries"},
		"bomb":              {zipOf(t, manifestFor(bomb.data), bomb), "at most"},
		"manifest bomb":     {zipOf(t, entry{name: "plugin.json", data: bytes.Repeat([]byte(" "), MaxManifest+1)}, wasm), "at most"},
		"bad manifest":      {zipOf(t, entry{name: "plugin.json", data: []byte("{}")}, wasm), "manifest_version"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Read(c.data)
			switch {
			case c.part == "" && err != nil:
				t.Fatal(err)
			case c.part == "" && (p.Bare != (p.Raw == nil) || p.SHA256 != digest(module) || !bytes.Equal(p.Wasm, module)):
				t.Errorf("got %+v", p)
			case c.part != "" && (!errors.Is(err, ErrPackage) || !strings.Contains(err.Error(), c.part)):
				t.Errorf("got %v, want %q", err, c.part)
			}
		})
	}
}

// A bomb may lie about its size: the central directory says little, the stream
// gives more.
func TestReadSizeLie(t *testing.T) {
	big := make([]byte, 4<<20)
	data := zipOf(t, entry{name: "plugin.json", data: big})
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(big)))
	lie := binary.LittleEndian.AppendUint32(nil, 100)
	if _, err := Read(bytes.ReplaceAll(data, size, lie)); !errors.Is(err, ErrPackage) {
		t.Errorf("got %v", err)
	}
}

// TestReadDamaged: an entry whose checksum is another one, and an encrypted one,
// also when nobody reads it.
func TestReadDamaged(t *testing.T) {
	good := manifestFor(module)
	data := zipOf(t, good, entry{name: "plugin.wasm", data: module})
	sum := func(b []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) }
	for _, of := range [][]byte{good.data, module} {
		if _, err := Read(bytes.ReplaceAll(data, sum(of), []byte("abcd"))); err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("another checksum: %v", err)
		}
	}
	data = zipOf(t, good, entry{name: "plugin.wasm", data: module}, entry{name: "other"})
	data[bytes.LastIndex(data, []byte("PK\x01\x02"))+8] |= 1
	if _, err := Read(data); err == nil || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("encrypted: %v", err)
	}
}

// TestReadCrowded: a directory of far more entries than are allowed is refused
// soon, also where its 16 bit count says little.
func TestReadCrowded(t *testing.T) {
	for _, n := range []int{MaxZipEntries + 1, 65_536 + 1, 100_000} {
		entry := make([]byte, 46)
		copy(entry, "PK\x01\x02")
		start := []byte("PK\x03\x04" + strings.Repeat("\x00", 26))
		end := []byte("PK\x05\x06" + strings.Repeat("\x00", 18))
		binary.LittleEndian.PutUint16(end[8:], uint16(n))
		binary.LittleEndian.PutUint16(end[10:], uint16(n))
		binary.LittleEndian.PutUint32(end[12:], uint32(n*len(entry)))
		binary.LittleEndian.PutUint32(end[16:], uint32(len(start)))
		_, err := Read(slices.Concat(start, bytes.Repeat(entry, n), end))
		if err == nil || !strings.Contains(err.Error(), "entries, at most") {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestVerify(t *testing.T) {
	if err := Verify(module, strings.ToUpper(digest(module))); err != nil {
		t.Error(err)
	}
	if err := Verify(append(bytes.Clone(module), 0), digest(module)); !errors.Is(err, ErrPackage) || !strings.Contains(err.Error(), "changed") {
		t.Error(err)
	}
}

func TestBare(t *testing.T) {
	for file, want := range map[string]string{
		"time.wasm": "time", `C:\Down loads\My Tool.WASM`: "my-tool", "/tmp/..wasm": "plugin", "日本.wasm": "plugin", "a_b.v2.wasm": "a_b.v2", "": "plugin",
	} {
		if got := BareID(file); got != want || !idPattern.MatchString(got) {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
	tool := Tool{Name: "now", Description: "d", InputSchema: []byte(`{"type":"object"}`)}
	p, err := Read(module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Bare("time.wasm", p, ABIServlet, []Tool{tool})
	if err != nil || len(m.Permissions.Hosts) != 0 || m.Wasm.SHA256 != p.SHA256 || !m.Bare {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Bare("x", p, ABIServlet, nil); !errors.Is(err, ErrManifest) {
		t.Error(err)
	}
	for _, text := range []string{"\x1b[2Jd", "d\u202e", "d\x9b1m"} {
		odd := tool
		odd.Description = text
		if _, err := Bare("x", p, ABIServlet, []Tool{odd}); !errors.Is(err, ErrManifest) {
			t.Errorf("%q: %v", text, err)
		}
	}
	tool.InputSchema = []byte(`true`)
	if _, err := Bare("x", p, ABIServlet, []Tool{tool}); !errors.Is(err, ErrManifest) {
		t.Error(err)
	}
	m, err = m.WithConfig(Field{Key: "token", Secret: true}, Field{Key: "url"})
	if f, ok := m.Field("token"); err != nil || !ok || !f.Secret || f.Type != FieldString {
		t.Errorf("%+v, %v", m.Config, err)
	}
	if _, err := m.WithConfig(Field{Key: "a b"}); !errors.Is(err, ErrManifest) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(zipOf(f, manifestFor(module), entry{name: "plugin.wasm", data: module}))
	f.Add(zipOf(f, entry{name: "../x"}, entry{name: "plugin.json"}))
	f.Add(module)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(data)
		if err != nil {
			if !errors.Is(err, ErrPackage) || p.Wasm != nil {
				t.Fatalf("%+v, %v", p, err)
			}
			return
		}
		if Verify(p.Wasm, p.SHA256) != nil || !p.Bare && p.Manifest.ID == "" {
			t.Fatalf("not sound: %+v", p)
		}
	})
}
