package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the person's own agents.
const (
	MaxCustom      = 64
	MaxCommandLine = 4096 // bytes
)

// Errors of the person's own agents. What is wrong follows as a sentence.
var (
	ErrCustom     = errors.New("this agent cannot be saved")
	ErrCustomGone = errors.New("this agent is not there any more")
)

// CustomPrefix begins the ids of the person's own agents, and of no known one.
const CustomPrefix = "custom_"

// Custom is an agent of the person's own: any command that speaks ACP on stdio,
// as it is kept. Of its environment it holds the names, and where each value is.
type Custom struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Line   string     `json:"line"` // the command line as it was written, see SplitCommand
	Env    []Kept     `json:"env,omitempty"`
	Bearer BearerFrom `json:"bearer_from"`
}

// Bearers are the ways of the bearer that a person can choose from; the first
// is what ACP says.
func Bearers() []BearerFrom {
	return []BearerFrom{BearerHeader, BearerEnv, BearerPath, BearerBridge}
}

// Definition is the agent as every other one. Nothing was measured of its
// client, so its capabilities are those of the specifications. The values of
// its environment are not part of it.
func (c Custom) Definition() Definition {
	words, _ := SplitCommand(c.Line) // one that was kept has words
	d := Definition{ID: c.ID, Name: c.Name, Capabilities: Capabilities{BearerFrom: c.Bearer}}
	if len(words) > 0 {
		d.Command, d.Args = words[0], words[1:]
	}
	return d
}

// Clean takes blanks off the ends.
func (c Custom) Clean() Custom {
	c.Name, c.Line = strings.TrimSpace(c.Name), strings.TrimSpace(c.Line)
	if c.Bearer == "" {
		c.Bearer = BearerHeader
	}
	return c
}

// Check says what is wrong with a cleaned agent that is to be kept beside
// others; itself among them is no clash.
func (c Custom) Check(others []Custom) error {
	if err := c.checkName(others); err != nil {
		return err
	}
	if len(others) >= MaxCustom && !slices.ContainsFunc(others, func(o Custom) bool { return o.ID == c.ID }) {
		return fmt.Errorf("%w: there are %d already", ErrCustom, MaxCustom)
	}
	if _, err := CheckCommandLine(c.Line); err != nil {
		return err
	}
	if !slices.Contains(Bearers(), c.Bearer) {
		return fmt.Errorf("%w: the bearer travels by header, env, path or bridge, not by %q", ErrCustom, c.Bearer)
	}
	return c.checkEnv()
}

func (c Custom) checkName(others []Custom) error {
	switch {
	case c.Name == "":
		return fmt.Errorf("%w: it needs a name", ErrCustom)
	case utf8.RuneCountInString(c.Name) > MaxServerName:
		return fmt.Errorf("%w: its name has more than %d characters", ErrCustom, MaxServerName)
	case strings.ContainsFunc(c.Name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }):
		return fmt.Errorf("%w: its name has characters that cannot be seen", ErrCustom)
	}
	for _, d := range Known() {
		if strings.EqualFold(d.Name, c.Name) {
			return fmt.Errorf("%w: another agent is named %s", ErrCustom, d.Name)
		}
	}
	for _, o := range others {
		if o.ID != c.ID && strings.EqualFold(o.Name, c.Name) {
			return fmt.Errorf("%w: another agent is named %s", ErrCustom, o.Name)
		}
	}
	return nil
}

// CheckCommandLine says what is wrong with a command line, or its words.
func CheckCommandLine(line string) ([]string, error) {
	switch {
	case len(line) > MaxCommandLine:
		return nil, fmt.Errorf("%w: its command line is longer than %d bytes", ErrCustom, MaxCommandLine)
	case !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }):
		return nil, fmt.Errorf("%w: its command line has characters that cannot be seen", ErrCustom)
	}
	words, err := SplitCommand(line)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrCustom, err)
	case len(words) == 0 || words[0] == "":
		return nil, fmt.Errorf("%w: it needs a command", ErrCustom)
	case len(words)-1 > MaxArgs:
		return nil, fmt.Errorf("%w: it has more than %d arguments", ErrCustom, MaxArgs)
	}
	return words, nil
}

func (c Custom) checkEnv() error {
	if len(c.Env) > MaxValues {
		return fmt.Errorf("%w: it has more than %d variables", ErrCustom, MaxValues)
	}
	seen := map[string]bool{}
	for _, v := range c.Env {
		switch {
		case v.Name == "":
			return fmt.Errorf("%w: a variable needs a name", ErrCustom)
		case len(v.Name) > MaxServerName*4 || strings.ContainsFunc(v.Name, func(r rune) bool { return r == '=' || !unicode.IsPrint(r) }):
			return fmt.Errorf("%w: the name of the variable %q has characters that it cannot have", ErrCustom, v.Name)
		case strings.HasPrefix(strings.ToUpper(v.Name), "KANDEV_"):
			return fmt.Errorf("%w: the variable %s is Kandev's own", ErrCustom, v.Name)
		case seen[v.Name]:
			return fmt.Errorf("%w: the variable %s is there twice", ErrCustom, v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

// CheckCustomValue says what is wrong with the value of a variable. The value is
// not part of the error.
func CheckCustomValue(name, value string) error {
	if strings.ContainsRune(value, 0) {
		return fmt.Errorf("%w: the value of %s holds a NUL", ErrCustom, name)
	}
	return nil
}
