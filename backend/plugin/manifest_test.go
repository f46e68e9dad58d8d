package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// sound is a manifest with every member.
const sound = `{"manifest_version":1,"id":"acme.slug","name":"Slugs","version":"1.0.0","description":"Makes slugs","author":"Acme","license":"MIT",
"homepage":"https://example.com/slug","min_app_version":"0.1.0",
"wasm":{"file":"plugin.wasm","sha256":"0000000000000000000000000000000000000000000000000000000000000000","abi":"mcp-servlet-v1"},
"tools":[{"name":"slug","description":"Makes a slug","input_schema":{"type":"object"},"annotations":{"read_only_hint":true}}],
"permissions":{"hosts":["API.example.com.","*.acme.test","api.example.com"],"private_network":false,"memory_mb":32,"timeout_ms":5000},
"config":{"token":{"type":"string","title":"API token","secret":true,"required":true},"limit":{"type":"integer"}}}`

// merged lays a patch over a document, member by member.
func merged(t *testing.T, base, patch string) []byte {
	t.Helper()
	var a, b map[string]any
	if err := errors.Join(json.Unmarshal([]byte(base), &a), json.Unmarshal([]byte(patch), &b)); err != nil {
		t.Fatal(err)
	}
	var lay func(a, b map[string]any)
	lay = func(a, b map[string]any) {
		for k, v := range b {
			deep, ok := v.(map[string]any)
			under, both := a[k].(map[string]any)
			switch {
			case v == nil:
				delete(a, k)
			case ok && both:
				lay(under, deep)
			default:
				a[k] = v
			}
		}
	}
	lay(a, b)
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestParse(t *testing.T) {
	m, err := Parse([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := Manifest{
		ID: "acme.slug", Name: "Slugs", Version: "1.0.0", Description: "Makes slugs", Author: "Acme", License: "MIT",
		Homepage: "https://example.com/slug", MinAppVersion: "0.1.0",
		Wasm:        Module{File: "plugin.wasm", SHA256: strings.Repeat("0", 64), ABI: ABIServlet},
		Tools:       []Tool{{Name: "slug", Description: "Makes a slug", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: Hints{ReadOnly: &yes}}},
		Permissions: Request{Hosts: []string{"*.acme.test", "api.example.com"}, MemoryMB: 32, TimeoutMS: 5000},
		Config: []Field{
			{Key: "limit", Type: FieldInteger},
			{Key: "token", Type: FieldString, Title: "API token", Secret: true, Required: true},
		},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got  %+v\nwant %+v", m, want)
	}
}

func TestParseCases(t *testing.T) {
	cases, err := txtar.ParseFile(filepath.Join("testdata", "manifests.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.Files {
		t.Run(c.Name, func(t *testing.T) {
			patch, says, _ := strings.Cut(strings.TrimSpace(string(c.Data)), "\n")
			m, err := Parse(merged(t, sound, patch))
			outcome, part, _ := strings.Cut(says, ": ")
			switch {
			case outcome == "sound" && err != nil:
				t.Fatalf("refused: %v", err)
			case outcome == "sound" && !strings.Contains(strings.Join(m.Warnings, "\n"), part):
				t.Errorf("warnings %q lack %q", m.Warnings, part)
			case outcome == "refused" && (!errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), part)):
				t.Errorf("got %v, want %q", err, part)
			case strings.Contains(says, "\n"), outcome != "sound" && outcome != "refused":
				t.Fatalf("case not understood: %q", says)
			}
		})
	}
}

func TestParseRawBytes(t *testing.T) {
	long := func(n int) string {
		tool := `{"name":"a","description":"` + strings.Repeat("d", n) + `","input_schema":{"type":"object"}}`
		return string(merged(t, sound, `{"tools":[`+tool+`]}`))
	}
	many := `{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a","description":"d","input_schema":{"type":"object"}},`, MaxTools+1), ",") + `]}`
	for name, c := range map[string]struct{ raw, part string }{
		"empty":                {"", "not valid JSON"},
		"not JSON":             {"PK", "not valid JSON"},
		"list":                 {"[]", "has to be an object"},
		"cut":                  {sound[:len(sound)-1], "not valid JSON"},
		"two documents":        {sound + "{}", "not valid JSON"},
		"twice":                {`{"id":"a",` + sound[1:], `"id" twice`},
		"twice in permissions": {strings.Replace(sound, `"memory_mb":32`, `"memory_mb":32,"memory_mb":512`, 1), `"memory_mb" twice`},
		"other letter case":    {strings.Replace(sound, `"id"`, `"ID"`, 1), "id is missing"},
		"not UTF-8":            {strings.Replace(sound, "Slugs", "\xff", 1), "UTF-8"},
		"too large":            {strings.Repeat(" ", MaxManifest) + sound, "at most"},
		"deep":                 {strings.Repeat("[", 100_000), "has to be an object"},
		"description 1024":     {long(MaxDescription), ""},
		"description 1025":     {long(MaxDescription + 1), "at most 1024"},
		"17 tools":             {string(merged(t, sound, many)), "17 tools"},
		"byte order mark":      {"\ufeff" + sound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.raw))
			if c.part == "" && err != nil || c.part != "" && (!errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), c.part)) {
				t.Errorf("got %v, want %q", err, c.part)
			}
		})
	}
}

func TestNeedsApp(t *testing.T) {
	for _, c := range []struct{ min, app, want string }{
		{"", "0.1.0", ""},
		{"0.1.0", "0.1.0", ""},
		{"0.1", "0.1.0", ""},
		{"0.2.0", "0.1.9", "0.2.0"},
		{"0.10.0", "0.9.0", "0.10.0"},
		{"1.0.0", "1.0.1-beta.1", ""},
		{"9.0.0", "devel", ""},
		{"1.0.0", "0.9.9+x", "1.0.0"},
	} {
		if got := (Manifest{MinAppVersion: c.min}).NeedsApp(c.app); got != c.want {
			t.Errorf("min %q, app %q: got %q, want %q", c.min, c.app, got, c.want)
		}
	}
}

func TestConfigValues(t *testing.T) {
	m, err := Parse([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Secrets(); !reflect.DeepEqual(got, []string{"token"}) {
		t.Errorf("secrets %v", got)
	}
	if got := m.MissingConfig(func(string, bool) bool { return false }); !reflect.DeepEqual(got, []string{"token"}) {
		t.Errorf("missing %v", got)
	}
	for _, c := range []struct {
		t     FieldType
		value string
		fits  bool
	}{
		{FieldInteger, "12", true},
		{FieldInteger, "1.5", false},
		{FieldNumber, "1.5", true},
		{FieldNumber, "x", false},
		{FieldNumber, "-1e3", true},
		{FieldNumber, "NaN", false},
		{FieldNumber, "+Inf", false},
		{FieldNumber, "1e999", false},
		{FieldNumber, "0x1p4", false},
		{FieldBoolean, "true", true},
		{FieldBoolean, "yes", false},
		{FieldString, "", true},
		{FieldString, strings.Repeat("x", MaxValue+1), false},
	} {
		err := Field{Key: "k", Type: c.t}.CheckValue(c.value)
		if (err == nil) != c.fits {
			t.Errorf("%s %.20q: %v", c.t, c.value, err)
		}
		if err != nil && c.value != "" && len(c.value) > 2 && strings.Contains(err.Error(), c.value) {
			t.Errorf("the value stands in the message: %v", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(`{"manifest_version":1,"tools":[{"name":"a"}],"permissions":{"hosts":["*"]}}`))
	f.Add([]byte(`{"id":{"id":[1e999]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Parse(raw)
		if err != nil {
			if !errors.Is(err, ErrManifest) || !reflect.DeepEqual(m, Manifest{}) {
				t.Fatalf("an error with %+v: %v", m, err)
			}
			return
		}
		if len(m.Tools) == 0 || len(m.Tools) > MaxTools || len(m.Wasm.SHA256) != 64 || bytes.ContainsAny([]byte(m.Wasm.File), `/\`) {
			t.Fatalf("not sound: %+v", m)
		}
		for _, h := range m.Permissions.Hosts {
			if again, err := HostPattern(h); err != nil || again != h {
				t.Fatalf("host %q has another spelling %q, %v", h, again, err)
			}
		}
		if !m.Permissions.Beyond(m.Permissions.Granted().Sound()).Nothing() {
			t.Fatalf("a full grant does not cover %+v", m.Permissions)
		}
	})
}
