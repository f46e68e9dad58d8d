package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes folders and, for names with "=", small files, below root.
func tree(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		name, text, isFile := strings.Cut(name, "=")
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := path
		if isFile {
			dir = filepath.Dir(path)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if isFile {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPlaces: each row is one home folder and what is found in it, in order.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name, goos string
		has        []string
		env        map[string]string // HOME stands for the home folder
		want       []string          // "place folder", without those outside the home
	}{
		{"nothing", "linux", nil, nil, nil},
		{
			"nvm: the default first, then the newest by number", "linux",
			[]string{".nvm/alias/default=20", ".nvm/versions/node/v9.1.0/bin", ".nvm/versions/node/v24.0.1/bin", ".nvm/versions/node/v20.2.0/bin", ".nvm/versions/node/v20.11.0/bin"},
			nil,
			[]string{"nvm .nvm/versions/node/v20.11.0/bin", "nvm .nvm/versions/node/v20.2.0/bin", "nvm .nvm/versions/node/v24.0.1/bin", "nvm .nvm/versions/node/v9.1.0/bin"},
		},
		{
			"nvm: an alias of an alias", "darwin",
			[]string{".nvm/alias/default=lts/*", ".nvm/alias/lts/*=lts/iron", ".nvm/alias/lts/iron=v20.2.0", ".nvm/versions/node/v24.0.1/bin", ".nvm/versions/node/v20.2.0/bin"},
			nil,
			[]string{"nvm .nvm/versions/node/v20.2.0/bin", "nvm .nvm/versions/node/v24.0.1/bin"},
		},
		{
			"nvm: an alias in a circle, and one that leads out", "linux",
			[]string{".nvm/alias/default=default", "x/alias/default=../../secret", ".nvm/versions/node/v1.0.0/bin", "x/versions/node/v2.0.0/bin"},
			map[string]string{"NVM_DIR": "HOME/x"},
			[]string{"nvm x/versions/node/v2.0.0/bin", "nvm .nvm/versions/node/v1.0.0/bin"},
		},
		{
			"mise and asdf", "linux",
			[]string{".local/share/mise/installs/node/22.1.0/bin", ".local/share/mise/installs/npm-augmentcode-auggie/0.36.0/bin", ".asdf/installs/nodejs/20.0.0/bin", ".asdf/shims"},
			nil,
			[]string{"mise .local/share/mise/installs/npm-augmentcode-auggie/0.36.0/bin", "mise .local/share/mise/installs/node/22.1.0/bin", "asdf .asdf/installs/nodejs/20.0.0/bin"},
		},
		{
			"fnm: its default alias first", "darwin",
			[]string{"Library/Application Support/fnm/aliases/default/bin", "Library/Application Support/fnm/node-versions/v22.1.0/installation/bin"},
			nil,
			[]string{"fnm Library/Application Support/fnm/aliases/default/bin", "fnm Library/Application Support/fnm/node-versions/v22.1.0/installation/bin"},
		},
		{
			"npm's prefix from .npmrc", "linux",
			[]string{".npmrc=//host/:_x=1\nprefix = ${HOME}/packs\n", "packs/bin", ".npm-global/bin"},
			nil,
			[]string{"npm packs/bin", "npm .npm-global/bin"},
		},
		{
			"the rest of a Linux home", "linux",
			[]string{".volta/bin", ".bun/bin", ".local/share/pnpm", ".local/bin", ".yarn/bin", ".opencode/bin"},
			nil,
			[]string{"volta .volta/bin", "bun .bun/bin", "pnpm .local/share/pnpm", "Yarn .yarn/bin", "~/.opencode .opencode/bin", "~/.local/bin .local/bin"},
		},
		{
			"variables that are relative or empty are no place", "linux",
			[]string{"bun/bin"},
			map[string]string{"BUN_INSTALL": "bun", "PNPM_HOME": ""},
			nil,
		},
		{
			"Windows", "windows",
			[]string{"Roaming/npm", "Roaming/nvm/v22.1.0", "Local/Volta/bin", "Local/pnpm", ".bun/bin", "scoop/shims"},
			map[string]string{"APPDATA": "HOME/Roaming", "LOCALAPPDATA": "HOME/Local"},
			[]string{"nvm Roaming/nvm/v22.1.0", "volta Local/Volta/bin", "npm Roaming/npm", "bun .bun/bin", "pnpm Local/pnpm", "Scoop scoop/shims"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "Ünï côde dir")
			tree(t, home, append(test.has, ".")...)
			p := places{goos: test.goos, home: home, getenv: func(name string) (string, bool) {
				v, ok := test.env[name]
				return strings.Replace(v, "HOME", home, 1), ok
			}}
			var got []string
			for _, f := range p.folders() {
				if rel, err := filepath.Rel(home, f.path); err == nil && filepath.IsLocal(rel) {
					got = append(got, f.place+" "+filepath.ToSlash(rel))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestCompareVersions(t *testing.T) {
	names := []string{"latest", "v9.0.0", "22", "v22.1.0", "v22.10.0", "lts", "v22.2.0"}
	slices.SortFunc(names, func(a, b string) int { return compareVersions(b, a) })
	if got := strings.Join(names, " "); got != "v22.10.0 v22.2.0 v22.1.0 22 v9.0.0 lts latest" {
		t.Error(got)
	}
}
