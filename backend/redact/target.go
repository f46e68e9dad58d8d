package redact

import (
	"regexp"
	"strings"
)

// Target returns what may be kept of a server's target: scheme, host and port
// of a URL, else the base name of the executable of a command line, without
// its folder and arguments, in Unix and Windows form. It is empty when nothing
// may be kept.
//
// A command line does not say where a path with blanks ends. A path is taken
// to go on over words up to its last separator, and its base name to end at a
// blank, unless quotes or a Windows extension show its end. A caller that
// holds the executable apart from its arguments uses Executable.
func Target(urlOrCommand string) string {
	s := oneLine(urlOrCommand)
	if name, ok := schemeAt(s); ok && !strings.EqualFold(name, "file") {
		return finish(network(s[:blankAfter(s, 0)]), nil)
	} else if ok {
		return baseName(s[len("file://"):], false)
	}
	for { // variables set for the command alone
		head := s[:blankAfter(s, 0)]
		if name, _, found := strings.Cut(head, "="); !found || strings.ContainsAny(name, `/\"'`) {
			break
		}
		s = strings.TrimSpace(s[len(head):])
	}
	program, ended := programOf(s)
	return baseName(program, ended)
}

// Executable returns the base name of an executable's path, given without
// arguments: its blanks belong to the path. A person may have written a command
// line all the same, so what evidently is an argument ends it, and a name
// without folders ends at a blank. Unix and Windows form.
func Executable(file string) string {
	program, _ := programOf(oneLine(file))
	return baseName(program, true)
}

// programOf is the executable of a command line. ended says that quotes or a
// Windows extension show its end.
func programOf(s string) (program string, ended bool) {
	if s != "" && strings.IndexByte("\"'`", s[0]) >= 0 {
		inside, _, _ := strings.Cut(s[1:], s[:1])
		return inside, true
	}
	s = s[:commandEnd(s)]
	if found := windowsProgram.FindString(s); found != "" {
		return found, true
	}
	return s, false
}

// windowsProgram matches a command up to the extension that ends its name.
var windowsProgram = regexp.MustCompile(`(?i)^[^"]*?\.(?:exe|cmd|bat|com|ps1)(?: |$)`)

// evidentArgument matches a word that does not go on with a path.
var evidentArgument = regexp.MustCompile(`^(?:[-/\\~"'$%@{\[<>|&;` + "`" + `]|[A-Za-z]:[\\/]|\S*=|\S*://)`)

// commandEnd is where the executable of an unquoted command line ends.
func commandEnd(s string) int {
	first := blankAfter(s, 0)
	if !strings.ContainsAny(s[:first], `/\`) {
		return first // found by PATH
	}
	for end := first; end < len(s); end = blankAfter(s, end+1) {
		if evidentArgument.MatchString(s[end+1:]) {
			return end
		}
	}
	return len(s)
}

// baseName keeps what follows the last separator, as long as it can be the
// name of a program and nothing else.
func baseName(file string, blanks bool) string {
	base := strings.TrimSpace(file[strings.LastIndexAny(file, `/\`)+1:])
	if len(base) > 2 && base[1] == ':' && !strings.Contains(base, "@") {
		base = base[2:] // a drive without a separator
	}
	if !blanks {
		base = base[:blankAfter(base, 0)]
	}
	if i := strings.IndexAny(base, "?#=&@:|;<>*\"'`$%"); i >= 0 {
		if strings.Contains(base[i:], "@") && base[i] == ':' {
			return ""
		}
		base = base[:i]
	}
	if strings.HasPrefix(base, "~") || strings.HasPrefix(base, "-") || looksIssued(base) {
		return ""
	}
	return finish(base, nil)
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(clean(bound(strings.ToValidUTF8(s, "\ufffd"), maxInput))), " ")
}
