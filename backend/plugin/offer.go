package plugin

import "fmt"

// Undeclared compares what a module described with what its manifest declares.
// The manifest is what a person saw, so a module that offers a name beyond it
// is refused; the error wraps ErrManifest and says the name. Declared names
// that the module does not have are returned: their tools are not offered.
func (m Manifest) Undeclared(described []string) (absent []string, err error) {
	have := map[string]bool{}
	for _, name := range described {
		if _, ok := m.Tool(name); !ok {
			return nil, fmt.Errorf("%w: the module describes a tool %.80q that the manifest does not declare", ErrManifest, name)
		}
		have[name] = true
	}
	for _, t := range m.Tools {
		if !have[t.Name] {
			absent = append(absent, t.Name)
		}
	}
	return absent, nil
}
