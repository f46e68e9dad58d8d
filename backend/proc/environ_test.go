package proc

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

const bypass = "127.0.0.1,localhost,::1"

func TestEnviron(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names have no case there")
	}
	proxies := []string{"NO_PROXY=" + bypass, "no_proxy=" + bypass}
	for _, test := range []struct {
		name        string
		base, strip []string
		set         map[string]string
		want        []string
	}{
		{"nothing", nil, nil, nil, proxies},
		{
			"ours go, others of like names stay",
			[]string{"KANDEV_DATA=1", "JSC_x=1", "WEBKIT_DISABLE_DMABUF_RENDERER=1", "GDK_BACKEND=x11", "GDK_SCALE=2", "KANDEV=1", "XKANDEV_=1"},
			nil, nil, append([]string{"GDK_SCALE=2", "KANDEV=1", "XKANDEV_=1"}, proxies...),
		},
		{
			"set wins over ours, strip and base",
			[]string{"A=1", "B=2", "KANDEV_MCP_TOKEN=old"},
			[]string{"B"},
			map[string]string{"KANDEV_MCP_TOKEN": "t", "A": "9", "B": "8"},
			append([]string{"A=9", "B=8", "KANDEV_MCP_TOKEN=t"}, proxies...),
		},
		{
			"strip by name and by prefix",
			[]string{"CLAUDECODE=1", "CLAUDE_X=1", "CLAUDE=1"},
			[]string{"CLAUDECODE", "CLAUDE_*"},
			nil,
			append([]string{"CLAUDE=1"}, proxies...),
		},
		{
			"last of two counts, odd entries",
			[]string{"A=1", "A=2", "noequals", "", "E=", "V=a=b\nc"},
			nil, nil,
			append([]string{"A=2", "E=", "V=a=b\nc"}, proxies...),
		},
		{
			"proxy lists keep their own",
			[]string{"NO_PROXY=a.example", "no_proxy=b.example, localhost"},
			nil, nil,
			[]string{"NO_PROXY=a.example," + bypass, "no_proxy=b.example, localhost,127.0.0.1,::1"},
		},
		{
			"one proxy list makes the other",
			[]string{"no_proxy=b.example,"},
			nil, nil,
			[]string{"no_proxy=b.example," + bypass, "NO_PROXY=b.example," + bypass},
		},
		{"every host already", []string{"NO_PROXY=*"}, nil, nil, []string{"NO_PROXY=*", "no_proxy=*"}},
		{
			"proxy list from set",
			[]string{"NO_PROXY=a"},
			nil,
			map[string]string{"NO_PROXY": "LOCALHOST,c"},
			[]string{"NO_PROXY=LOCALHOST,c,127.0.0.1,::1", "no_proxy=LOCALHOST,c,127.0.0.1,::1"},
		},
		{"empty proxy list", []string{"NO_PROXY= "}, nil, nil, proxies},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := slices.Clone(test.base)
			if got := Environ(test.base, test.strip, test.set); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if !slices.Equal(base, test.base) {
				t.Error("base was changed")
			}
		})
	}
}

func TestLookupEnv(t *testing.T) {
	if got := lookupEnv([]string{"PATH=a", "PATHX=b", "PATH=c"}, "PATH"); got != "c" {
		t.Errorf("got %q", got)
	}
}

func TestTail(t *testing.T) {
	const size = 8
	for _, writes := range [][]string{
		{},
		{""},
		{"abc"},
		{"abcdefgh"},
		{"abcdefghi"},
		{"abcdefg", "h"},
		{"abcdefg", "hi"},
		{"abcdefgh", "i"},
		{"abcde", "fghijkl", "mno"},
		{"abcdefghijklmnopqrstuvwxyz", "0", "1"},
	} {
		tail := newTail(size)
		for _, w := range writes {
			if n, err := tail.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%q: %d, %v", w, n, err)
			}
		}
		all := strings.Join(writes, "")
		if want := all[max(0, len(all)-size):]; string(tail.Bytes()) != want {
			t.Errorf("%q: got %q, want %q", writes, tail.Bytes(), want)
		}
	}
}
