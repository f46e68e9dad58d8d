package app

import (
	"slices"
	"testing"
)

func TestWebEnv(t *testing.T) {
	both := []string{"JSC_usePollingTraps=1", "JSC_useWasmFaultSignalHandler=0"}
	cases := []struct {
		name, goos string
		set        map[string]string
		nvidia     bool
		want       []string
	}{
		{name: "plain Linux", goos: "linux", want: both},
		{name: "NVIDIA", goos: "linux", nvidia: true, want: append(slices.Clone(both), "WEBKIT_DISABLE_DMABUF_RENDERER=1")},
		{
			name: "the person's values stay, even empty ones", goos: "linux", nvidia: true,
			set:  map[string]string{"JSC_usePollingTraps": "0", "WEBKIT_DISABLE_DMABUF_RENDERER": ""},
			want: both[1:],
		},
		{name: "macOS", goos: "darwin", nvidia: true},
		{name: "Windows", goos: "windows"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			lookup := func(name string) (string, bool) { v, ok := c.set[name]; return v, ok }
			exists := func(path string) bool { return c.nvidia && path == nvidiaModule }
			var got []string
			for _, v := range webEnv(c.goos, lookup, exists) {
				got = append(got, v.name+"="+v.value)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("webEnv = %q, want %q", got, c.want)
			}
		})
	}
}
