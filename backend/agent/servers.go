package agent

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the person's own servers.
const (
	MaxServers    = 64   // of one agent
	MaxServerName = 64   // characters
	MaxServerText = 4096 // bytes of an address, a command or an argument
	MaxArgs       = 256
	MaxValues     = 64 // headers or variables of one server
)

// Errors of the person's own servers. What is wrong follows as a sentence.
var (
	ErrServer         = errors.New("this server cannot be saved")
	ErrServerNotFound = errors.New("this server is not there any more")
)

// OwnServer is one of the person's MCP servers for one agent, as it is kept:
// of headers and environment the names, and where each value is.
type OwnServer struct {
	ID        string   `json:"id"`
	Agent     string   `json:"agent"` // id of the agent it is for
	Name      string   `json:"name"`
	Transport string   `json:"transport"` // "http", "sse", "stdio"
	URL       string   `json:"url,omitempty"`
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	Env       []Kept   `json:"env,omitempty"`
	Headers   []Kept   `json:"headers,omitempty"`
	Off       bool     `json:"off,omitempty"` // kept, not given to the agent
}

// Kept names a value and the secret it is stored as.
type Kept struct {
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

// Reserved reports whether a server name is taken for Kandev's own server: in
// any case, with any blanks.
func Reserved(name string) bool {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return strings.EqualFold(bare, "kandev")
}

// Clean takes blanks off the ends and what another transport needs.
func (s OwnServer) Clean() OwnServer {
	s.Name, s.URL, s.Command = strings.TrimSpace(s.Name), strings.TrimSpace(s.URL), strings.TrimSpace(s.Command)
	if s.Transport == "stdio" {
		s.URL, s.Headers = "", nil
	} else {
		s.Command, s.Args, s.Env = "", nil, nil
	}
	return s
}

// Check says what is wrong with a cleaned server that is to be kept beside
// others of the same agent; itself among them is no clash.
func (s OwnServer) Check(others []OwnServer) error {
	if err := checkName(s.Name); err != nil {
		return err
	}
	if len(others) >= MaxServers && !slices.ContainsFunc(others, func(o OwnServer) bool { return o.ID == s.ID }) {
		return fmt.Errorf("%w: there are %d already", ErrServer, MaxServers)
	}
	for _, o := range others {
		if o.ID != s.ID && strings.EqualFold(o.Name, s.Name) {
			return fmt.Errorf("%w: another server of this agent is named %s", ErrServer, o.Name)
		}
	}
	switch s.Transport {
	case "stdio":
		return s.checkCommand()
	case "http", "sse":
		return s.checkRemote()
	}
	return fmt.Errorf("%w: the transport is http, sse or stdio, not %q", ErrServer, s.Transport)
}

func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: it needs a name", ErrServer)
	case Reserved(name):
		return fmt.Errorf("%w: %w for Kandev's own server. Choose another name", ErrServer, ErrReserved)
	case utf8.RuneCountInString(name) > MaxServerName:
		return fmt.Errorf("%w: its name has more than %d characters", ErrServer, MaxServerName)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }):
		return fmt.Errorf("%w: its name has characters that cannot be seen", ErrServer)
	}
	return nil
}

func (s OwnServer) checkCommand() error {
	switch {
	case s.Command == "":
		return fmt.Errorf("%w: it needs a command", ErrServer)
	case len(s.Args) > MaxArgs:
		return fmt.Errorf("%w: it has more than %d arguments", ErrServer, MaxArgs)
	}
	for _, text := range append([]string{s.Command}, s.Args...) {
		if len(text) > MaxServerText || strings.ContainsRune(text, 0) {
			return fmt.Errorf("%w: a command or argument is too long or holds a NUL", ErrServer)
		}
		if namesOurs(text) {
			return fmt.Errorf("%w: a command or argument %s", ErrServer, ours)
		}
	}
	return checkValues(s.Env, "variable", func(r rune) bool { return r == '=' || !unicode.IsPrint(r) })
}

func (s OwnServer) checkRemote() error {
	if err := checkAddress(s.URL); err != nil {
		return err
	}
	return checkValues(s.Headers, "header", func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) // RFC 9110, token
	})
}

// checkAddress leaves one with ${…} alone: the agent puts it together.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return fmt.Errorf("%w: it needs an address", ErrServer)
	case len(address) > MaxServerText || strings.ContainsFunc(address, unicode.IsControl):
		return fmt.Errorf("%w: its address is too long or has characters that cannot be seen", ErrServer)
	case namesOurs(address):
		return fmt.Errorf("%w: its address %s", ErrServer, ours)
	case HasVariable(address):
		return nil
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https": // err quotes the address
		return fmt.Errorf("%w: its address must be a whole one that begins with http:// or https://", ErrServer)
	case u.User != nil:
		return fmt.Errorf("%w: its address holds a user or a password. Put them into a header", ErrServer)
	}
	return nil
}

func checkValues(values []Kept, what string, bad func(rune) bool) error {
	if len(values) > MaxValues {
		return fmt.Errorf("%w: it has more than %d %ss", ErrServer, MaxValues, what)
	}
	seen := map[string]bool{}
	for _, v := range values {
		name := v.Name
		if what == "header" {
			name = strings.ToLower(name)
		}
		switch {
		case name == "":
			return fmt.Errorf("%w: a %s needs a name", ErrServer, what)
		case len(name) > MaxServerName*4 || strings.ContainsFunc(name, bad):
			return fmt.Errorf("%w: the name of the %s %q has characters that it cannot have", ErrServer, what, v.Name)
		case seen[name]:
			return fmt.Errorf("%w: the %s %s is there twice", ErrServer, what, v.Name)
		}
		seen[name] = true
	}
	return nil
}

// CheckValue says what is wrong with the value of a header or variable. The
// value is not part of the error.
func CheckValue(transport, name, value string) error {
	bad := "\x00"
	if transport != "stdio" {
		bad = "\x00\r\n"
	}
	if strings.ContainsAny(value, bad) {
		return fmt.Errorf("%w: the value of %s holds a line break or a NUL", ErrServer, name)
	}
	if namesOurs(value) {
		return fmt.Errorf("%w: the value of %s %s", ErrServer, name, ours)
	}
	return nil
}

// ours is what is wrong with a text that namesOurs finds.
const ours = "names one of Kandev's own variables, which would give what is in it to this server"

// namesOurs reports whether a text asks for a variable of ours. Some agents put
// its value there: the bearer of the session, or a secret of another server.
func namesOurs(text string) bool {
	text = strings.ToUpper(text)
	return strings.Contains(text, "${KANDEV_") || strings.Contains(text, "$KANDEV_")
}

// HasVariable reports whether a text holds a ${NAME} that Kandev leaves as it is.
func HasVariable(text string) bool {
	_, rest, found := strings.Cut(text, "${")
	return found && strings.Contains(rest, "}")
}
