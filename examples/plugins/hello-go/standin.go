//go:build !wasip1

package main

// What pdk.go is inside the app, this is outside: it lets `go test` call the
// plugin's functions without a sandbox. It is no part of the module.

var host struct {
	input  string
	config map[string]string
	output string
	err    string
}

func input() []byte { return []byte(host.input) }

func config(key string) string { return host.config[key] }

func output(s string) int32 {
	host.output = s
	return 0
}

func fail(s string) int32 {
	host.err = s
	return 1
}
