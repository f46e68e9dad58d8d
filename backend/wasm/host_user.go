package wasm

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// userFuncs are the imports of hyper-mcp v2 plugins. They have to be there for
// such a module to start; none has any power here.
var userFuncs = []string{
	"create_elicitation", "create_message", "get_access_token", "get_keyring_secret", "list_roots",
	"notify_logging_message", "notify_progress", "notify_prompt_list_changed", "notify_resource_list_changed",
	"notify_resource_updated", "notify_tool_list_changed", "notify_url_elicitation_completed",
}

const notSupported = `{"error":"not supported"}`

// exportUser makes the module extism:host/user with the functions that this
// module imports, each in the form it is imported in: the PDKs of different
// languages declare them differently. One that returns a value answers "not
// supported"; the others do nothing.
func exportUser(ctx context.Context, rt wazero.Runtime, imports []api.FunctionDefinition) error {
	b := rt.NewHostModuleBuilder(userModule)
	done := map[string]bool{}
	for _, f := range imports {
		module, name, _ := f.Import()
		if module != userModule || done[name] || !slices.Contains(userFuncs, name) {
			continue
		}
		done[name] = true
		results := f.ResultTypes()
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, s []uint64) {
			c := current(ctx)
			if len(results) > 0 {
				clear(s[:len(results)])
				if results[0] == api.ValueTypeI64 {
					s[0] = c.put([]byte(notSupported))
				}
			}
		}), f.ParamTypes(), results).Export(name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
