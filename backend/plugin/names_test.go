package plugin

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// Case 27.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ id, tool, want string }{
		{"task-tags.v1", "add_tag", "kandev_task_tags_v1_add_tag"},
		{"Acme", "calendar.read", "kandev_acme_calendar_read"},
		{"acme", "a/b", "kandev_acme_a_b"},
		{"acme", "Get File", "kandev_acme_get_file"},
		{"acme", "_x", "kandev_acme__x"},
		{"a--b.", "x", "kandev_a__b_x"},
		{"acme", "搜索", "kandev_acme_t_" + hash8("搜索")},
		{"acme", "--", "kandev_acme_t_" + hash8("--")},
		{"acme", strings.Repeat("l", 24), "kandev_acme_" + strings.Repeat("l", 24)},
		{"acme", strings.Repeat("l", 25), "kandev_acme_" + strings.Repeat("l", 15) + "_" + hash8(strings.Repeat("l", 25))},
		{strings.Repeat("s", 40), "ab", "kandev_" + strings.Repeat("s", 40) + "_ab"},
		{strings.Repeat("s", 41), "ab", "kandev_" + strings.Repeat("s", 31) + "_" + hash8(strings.Repeat("s", 41)) + "_ab"},
	} {
		got := Canonical(c.id, c.tool)
		if got != c.want || len(got) > 50 {
			t.Errorf("%s + %s: got %s (%d), want %s", c.id, c.tool, got, len(got), c.want)
		}
	}
}

// The name with the longest prefix any client adds stays within 64 characters.
// Case 23.
func TestCanonicalFitsEveryClient(t *testing.T) {
	fits := regexp.MustCompile(`^[a-z0-9_]{1,64}$`)
	for _, id := range []string{"a", strings.Repeat("i", 40), strings.Repeat("I.", 32)} {
		for _, tool := range []string{"t", strings.Repeat("t", 30), strings.Repeat("世", 40), "日本" + strings.Repeat("x", 100)} {
			if name := "mcp__kandev__" + Canonical(id, tool); !fits.MatchString(name) {
				t.Errorf("%s + %s: %s has %d characters", id, tool, name, len(name))
			}
		}
	}
}

// Cases 25 and 28.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		tools []string
		parts []string // of the refusal; none: accepted
	}{
		"plain":           {[]string{"a", "b"}, nil},
		"same twice":      {[]string{"a", "a"}, []string{`two tools are named "a"`}},
		"sanitised twins": {[]string{"read-only", "read_only"}, []string{`"read-only"`, `"read_only"`, "kandev_acme_read_only"}},
		"letter case":     {[]string{"Read", "read"}, []string{`"Read"`, `"read"`}},
		"long twins":      {[]string{strings.Repeat("l", 30) + "a", strings.Repeat("l", 30) + "b"}, nil},
		"like a built-in": {[]string{"create_task_kandev"}, []string{"looks like a tool of Kandev itself"}},
		"kandev":          {[]string{"kandev"}, []string{"looks like"}},
		"with a tail":     {[]string{"create_task_kandev_"}, []string{"looks like"}},
		"by its case":     {[]string{"create-task-KANDEV"}, []string{"looks like"}},
		"kandev in front": {[]string{"kandev_list"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Names("acme", c.tools)
			if len(c.parts) == 0 {
				if err != nil || len(got) != len(c.tools) {
					t.Fatalf("%v, %v", got, err)
				}
				for i, n := range got {
					if n.Original != c.tools[i] {
						t.Errorf("the original %q was lost: %+v", c.tools[i], n)
					}
				}
				return
			}
			for _, part := range c.parts {
				if !errors.Is(err, ErrName) || !strings.Contains(err.Error(), part) {
					t.Errorf("%v lacks %q", err, part)
				}
			}
		})
	}
}

func TestConflict(t *testing.T) {
	holder := func(id string, tools ...string) Holder {
		names, err := Names(id, tools)
		if err != nil {
			t.Fatal(err)
		}
		return Holder{ID: id, Names: names}
	}
	builtin := []string{"create_task_kandev", "kandev_doctor_kandev"}
	for name, c := range map[string]struct {
		fresh     Holder
		installed []Holder
		parts     []string
	}{
		"alone":           {holder("a", "x"), nil, nil},
		"a.b and a-b":     {holder("a.b", "x"), []Holder{holder("a-b", "x")}, []string{"plugin a.b", "plugin a-b", "kandev_a_b_x"}},
		"split elsewhere": {holder("a", "b_c"), []Holder{holder("a_b", "c")}, []string{`"b_c" of plugin a`, `"c" of plugin a_b`}},
		"own old version": {holder("a", "x"), []Holder{holder("a", "x")}, nil},
		"same slug apart": {holder("a.b", "x"), []Holder{holder("a-b", "y")}, nil},
		"a built-in":      {holder("doctor", "x"), nil, nil},
		"alias":           {Holder{"doctor", []Name{{"kandev_doctor", "doctor"}}}, nil, []string{"like the built-in kandev_doctor_kandev"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := Conflict(c.fresh.ID, c.fresh.Names, builtin, c.installed)
			if len(c.parts) == 0 && err != nil {
				t.Fatal(err)
			}
			for _, part := range c.parts {
				if !errors.Is(err, ErrName) || !strings.Contains(err.Error(), part) {
					t.Errorf("%v lacks %q", err, part)
				}
			}
		})
	}
}

func TestFolder(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"con", "CON", "a.b", "a-b", "aux.", strings.Repeat("x", 64), strings.Repeat("x", 63) + "y"} {
		f := strings.ToLower(Folder(id))
		if other, twice := seen[f]; twice || !regexp.MustCompile(`^p-[a-z0-9_]+-[0-9a-f]{8}$`).MatchString(f) {
			t.Errorf("%s: folder %s (also of %q)", id, f, other)
		}
		seen[f] = id
	}
}
