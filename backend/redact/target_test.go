package redact

import "testing"

func TestTargetOfURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com/mcp":                      "https://example.com",
		"HTTPS://Example.com:8443/mcp?x=1#f":           "https://Example.com:8443",
		"https://u:p@h/x?api_key=sk-123":               "https://h",
		"https://u:p@h:1/x":                            "https://h:1",
		"https://u:p@ss@h/x":                           "https://h",
		"https://user:12/34@h/x":                       "https://[redacted]",
		"https://token@h":                              "https://h",
		"https://h?api_key=sk-123":                     "https://h",
		"https://h#sk-123":                             "https://h",
		`https://h\sk-123`:                             "https://h",
		"http://127.0.0.1:52341/mcp/secret":            "http://127.0.0.1:52341",
		"http://[::1]:8080/x":                          "http://[::1]:8080",
		"wss://höst.example/x":                         "wss://höst.example",
		"https://h:notaport/x":                         "https://[redacted]",
		"https://":                                     "https://[redacted]",
		"https:///etc/passwd":                          "https://[redacted]",
		"  https://h/x  ":                              "https://h",
		"file:///home/anna/bin/server":                 "server",
		"file:///C:/Users/Анна/server.exe":             "server.exe",
		"https://h/x y z":                              "https://h",
		"http://h\x00/x":                               "http://[redacted]",
		"localhost:3000/mcp?key=v":                     "mcp",
		"https://%41:pw@h/":                            "https://h",
		"https://sk-123456789012345678901234567890ab/": "https://sk-123456789012345678901234567890ab",
	} {
		if got := Target(in); got != want {
			t.Errorf("Target(%q) = %q, not %q", in, got, want)
		}
	}
}

func TestTargetOfCommand(t *testing.T) {
	for in, want := range map[string]string{
		"":                                             "",
		"npx":                                          "npx",
		"npx -y @scope/server --token=x":               "npx",
		"npx @scope/server":                            "npx",
		"/usr/local/bin/server":                        "server",
		"/usr/bin/node server.js sk-123":               "node",
		"/usr/bin/node /home/anna/server.js":           "node",
		"/usr/bin/env KEY=v npx":                       "env",
		"KEY=secret OTHER=x npx y":                     "npx",
		"KEY=secret":                                   "",
		"./bin/server":                                 "server",
		"../a b/server -v":                             "server",
		"~/bin/server":                                 "server",
		"~anna":                                        "",
		"/home/a b/c":                                  "c",
		"/home/a b/c --key v":                          "c",
		"/home/a b c/d":                                "d",
		"/home/anna/":                                  "",
		`"/home/a b/my tool" --key v`:                  "my tool",
		`'/home/a b/c' v`:                              "c",
		`"/home/a b/not closed`:                        "not closed",
		`C:\Users\Анна Б\x.exe --key v`:                "x.exe",
		`C:\Users\Анна Б\x.exe`:                        "x.exe",
		`C:\Users\Анна Б\x.EXE key`:                    "x.EXE",
		`C:\Program Files\My Tool.exe /key v`:          "My Tool.exe",
		`"C:\Program Files\nodejs\npx.cmd" -y x`:       "npx.cmd",
		`C:/Users/Анна Б/x.cmd`:                        "x.cmd",
		`C:x.exe`:                                      "x.exe",
		`\\srv\share\x`:                                "x",
		`\\srv\share\x y.bat --key v`:                  "x y.bat",
		`\\?\C:\Users\Anna\x.exe`:                      "x.exe",
		"/usr/bin/tool --exe y.exe":                    "tool",
		"/opt/example.com/bin/server":                  "server",
		"/opt/x/\x1b[2Jserver":                         "server",
		"/opt/\xff/server":                             "server",
		"/opt/x/ghp_0123456789abcdefghijABCDEFGHIJ012": "",
		"u:p@h": "",
	} {
		if got := Target(in); got != want {
			t.Errorf("Target(%q) = %q, not %q", in, got, want)
		}
	}
}

func TestExecutable(t *testing.T) {
	for in, want := range map[string]string{
		"/home/a b/my tool":            "my tool",
		`C:\Users\Анна Б\My Tool.exe`:  "My Tool.exe",
		`\\srv\share\dir name\x y`:     "x y",
		"/Applications/A B.app/My App": "My App",
		"npx":                          "npx",
		"":                             "",
		"/home/anna/":                  "",
		"/opt/example.com/bin/server":  "server",

		// Command lines, where a path was asked for.
		"mytool --password hunter":            "mytool",
		"node server.js hunter2x":             "node",
		"/home/a b/my tool --key v":           "my tool",
		"/usr/bin/node /srv/x.js v":           "node",
		"/opt/my tool KEY=v":                  "my tool",
		`C:\Program Files\My Tool.exe /key v`: "My Tool.exe",
		`"C:\x\my tool.cmd" /key v`:           "my tool.cmd",
		`'/opt/my tool' v`:                    "my tool",
	} {
		if got := Executable(in); got != want {
			t.Errorf("Executable(%q) = %q, not %q", in, got, want)
		}
	}
}
