package backend

import (
	"fmt"
	"slices"

	"kandev/backend/agent"
)

// keeping plans where the values of one owner are kept: each under a name of its
// own in the secret store.
type keeping struct {
	owner   string                         // id of the server or agent
	check   func(name, value string) error // what is wrong with a value
	missing error                          // begins the error for a value to keep that is not there
	fresh   map[string]string              // the values to store, by the name of their secret
	asked   bool                           // they are asked for at each start: a value has no secret and is not read
}

// plan names the secret of each value and collects the new ones in fresh.
func (k keeping) plan(wanted []ServerValue, before []agent.Kept) ([]agent.Kept, error) {
	var out []agent.Kept
	for _, v := range wanted {
		if v.Keep {
			i := slices.IndexFunc(before, func(old agent.Kept) bool { return old.Name == v.Name })
			if i < 0 {
				return nil, fmt.Errorf("%w: %s has no stored value. Type one", k.missing, v.Name)
			}
			out = append(out, before[i])
			continue
		}
		if k.asked {
			out = append(out, agent.Kept{Name: v.Name})
			continue
		}
		if err := k.check(v.Name, v.Value); err != nil {
			return nil, err
		}
		kept := agent.Kept{Name: v.Name, Secret: k.owner + "/" + newID("v")}
		k.fresh[kept.Secret] = v.Value
		out = append(out, kept)
	}
	return out, nil
}
