package cli

import (
	"errors"
	"fmt"
	"strings"
)

// options are the options that a subcommand knows, by name without dashes. They may stand anywhere; "--" ends them.
type options struct {
	switches map[string]*bool
	values   map[string]*[]string // each may be given more than once
}

// parse fills in the options and returns the other arguments. The error is errHelp, or a sentence for a person in
// which no option's value stands.
func (o options) parse(args []string) (rest []string, err error) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(rest, args[i+1:]...), nil
		}
		if a == "-" || !strings.HasPrefix(a, "-") {
			rest = append(rest, a)
			continue
		}
		name, value, joined := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-"), "=")
		if name == "h" || name == "help" {
			return nil, errHelp
		}
		if flag, ok := o.switches[name]; ok && !joined {
			*flag = true
			continue
		}
		list, ok := o.values[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("there is no option %q", "--"+name)
		case joined:
		case i+1 == len(args):
			return nil, fmt.Errorf("--%s needs a value", name)
		default:
			i++
			value = args[i]
		}
		*list = append(*list, value)
	}
	return rest, nil
}

var errHelp = errors.New("help is wanted")
