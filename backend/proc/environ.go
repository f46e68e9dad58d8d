package proc

import (
	"maps"
	"runtime"
	"slices"
	"strings"
)

// ours are the variables that concern our own process and must not reach a child (spec: agents, "Environment").
var ours = []string{"KANDEV_*", "JSC_*", "WEBKIT_*", "GDK_BACKEND"}

// loopback are the hosts that no child may send through a proxy: our endpoints live there.
var loopback = []string{"127.0.0.1", "localhost", "::1"}

// Environ makes a child's environment: base without our own variables and without strip, plus set, plus the proxy exceptions.
// An entry of strip is a name, or a prefix that ends in "*". What is in set is kept even when its name is one of ours.
// NO_PROXY and no_proxy keep their entries and gain the loopback hosts; when only one is given, the other is made from it,
// because programs differ in which one they read. Of a name given twice in base the last counts; entries without "=" are dropped.
// The order is that of base, then set by name. The arguments are not changed.
func Environ(base, strip []string, set map[string]string) []string {
	values := map[string]string{}
	var order []string
	put := func(name, value string) {
		if _, known := values[name]; !known {
			order = append(order, name)
		}
		values[name] = value
	}
	for _, entry := range base {
		name, value, ok := cutEntry(entry)
		if ok && !listed(ours, name) && !listed(strip, name) {
			put(canonical(name), value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		put(canonical(name), set[name])
	}
	upper, lower := values[canonical("NO_PROXY")], values[canonical("no_proxy")]
	put(canonical("NO_PROXY"), withLoopback(firstSet(upper, lower)))
	put(canonical("no_proxy"), withLoopback(firstSet(lower, upper)))
	entries := make([]string, 0, len(order))
	for _, name := range order {
		entries = append(entries, name+"="+values[name])
	}
	return entries
}

// withoutOurs leaves out our own variables and what is no variable. It is never nil.
func withoutOurs(env []string) []string {
	out := []string{}
	for _, entry := range env {
		if name, _, ok := cutEntry(entry); ok && !listed(ours, name) {
			out = append(out, entry)
		}
	}
	return out
}

// cutEntry allows a leading "=", which Windows uses for the current folder of each drive.
func cutEntry(entry string) (name, value string, ok bool) {
	if entry == "" {
		return "", "", false
	}
	at := strings.IndexByte(entry[1:], '=') + 1
	if at == 0 {
		return "", "", false
	}
	return entry[:at], entry[at+1:], true
}

func listed(patterns []string, name string) bool {
	name = canonical(name)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(name, canonical(prefix))
		}
		return name == canonical(pattern)
	})
}

// canonical is the name as the system compares it: Windows does not see case.
func canonical(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

func firstSet(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}

// withLoopback leaves a lone "*" as it is: it already means every host, and some programs know it only when it stands alone.
func withLoopback(list string) string {
	list = strings.Trim(strings.TrimSpace(list), ",")
	if list == "*" {
		return list
	}
	var have []string
	for entry := range strings.SplitSeq(list, ",") {
		have = append(have, strings.ToLower(strings.TrimSpace(entry)))
	}
	for _, host := range loopback {
		if slices.Contains(have, host) {
			continue
		}
		if list != "" {
			list += ","
		}
		list += host
	}
	return list
}

// SameVariable reports whether two names are those of one variable: Windows does not see case, and writes Path.
func SameVariable(a, b string) bool { return canonical(a) == canonical(b) }

// LookupEnv is the value of a variable that counts, the last one.
func LookupEnv(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if have, value, ok := cutEntry(entry); ok && SameVariable(have, name) {
			return value, true
		}
	}
	return "", false
}

func lookupEnv(env []string, name string) string {
	value, _ := LookupEnv(env, name)
	return value
}
