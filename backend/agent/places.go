package agent

import "slices"

// Place is where programs are found beside the PATH: the folders of one way to
// install them. Desktop launchers start the app without what a shell's start-up
// files put on the PATH.
//
// A pattern is written with slashes. It begins with ~ (the home folder) or with
// $NAME (a variable; the pattern counts only where it is set to an absolute
// folder). An element may be * : any folder, the newest version first.
type Place struct {
	Name    string   // as people call it
	Systems []string // GOOS values; nil = all
	Roots   []string // patterns
	Folders []string // below each root that is there; "" is the root itself
	Alias   string   // file below the root that names the version to take first, as nvm writes it
}

var unix = []string{"linux", "darwin"}

// Places lists the places of a system, the ones looked at first first. Version
// managers come before folders that hold one version of everything.
func Places(goos string) []Place {
	return slices.DeleteFunc(places(), func(p Place) bool { return p.Systems != nil && !slices.Contains(p.Systems, goos) })
}

func places() []Place {
	windows, darwin, linux := []string{"windows"}, []string{"darwin"}, []string{"linux"}
	return []Place{
		{"nvm", unix, []string{"$NVM_DIR", "~/.nvm", "$XDG_CONFIG_HOME/nvm"}, []string{"versions/node/*/bin"}, "alias/default"},
		{"nvm", windows, []string{"$NVM_SYMLINK"}, []string{""}, ""},
		{"nvm", windows, []string{"$NVM_HOME", "$APPDATA/nvm"}, []string{"*"}, ""},
		{"mise", unix, []string{"$MISE_DATA_DIR", "$XDG_DATA_HOME/mise", "~/.local/share/mise"}, []string{"installs/*/*/bin"}, ""},
		{"mise", windows, []string{"$MISE_DATA_DIR", "$LOCALAPPDATA/mise"}, []string{"installs/*/*", "installs/*/*/bin"}, ""},
		{"asdf", unix, []string{"$ASDF_DATA_DIR", "~/.asdf"}, []string{"installs/*/*/bin"}, ""},
		{"volta", unix, []string{"$VOLTA_HOME", "~/.volta"}, []string{"bin"}, ""},
		{"volta", windows, []string{"$VOLTA_HOME", "$LOCALAPPDATA/Volta"}, []string{"bin"}, ""},
		{"volta", windows, []string{"$ProgramFiles/Volta"}, []string{""}, ""},
		{"fnm", linux, []string{"$FNM_DIR", "$XDG_DATA_HOME/fnm", "~/.local/share/fnm", "~/.fnm"}, []string{"aliases/default/bin", "node-versions/*/installation/bin"}, ""},
		{"fnm", darwin, []string{"$FNM_DIR", "$XDG_DATA_HOME/fnm", "~/Library/Application Support/fnm", "~/.local/share/fnm", "~/.fnm"}, []string{"aliases/default/bin", "node-versions/*/installation/bin"}, ""},
		{"fnm", windows, []string{"$FNM_DIR", "$APPDATA/fnm"}, []string{"aliases/default", "node-versions/*/installation"}, ""},
		{"npm", unix, []string{NPMPrefix, "$NPM_CONFIG_PREFIX", "$npm_config_prefix", "~/.npm-global", "~/.npm-packages", "$N_PREFIX", "~/n"}, []string{"bin"}, ""},
		{"npm", windows, []string{NPMPrefix, "$NPM_CONFIG_PREFIX", "$APPDATA/npm", "$ProgramFiles/nodejs"}, []string{""}, ""},
		{"bun", nil, []string{"$BUN_INSTALL", "~/.bun"}, []string{"bin"}, ""},
		{"pnpm", nil, []string{"$PNPM_HOME"}, []string{"", "bin"}, ""},
		{"pnpm", linux, []string{"$XDG_DATA_HOME/pnpm", "~/.local/share/pnpm"}, []string{"", "bin"}, ""},
		{"pnpm", darwin, []string{"~/Library/pnpm"}, []string{"", "bin"}, ""},
		{"pnpm", windows, []string{"$LOCALAPPDATA/pnpm"}, []string{"", "bin"}, ""},
		{"Yarn", unix, []string{"~/.yarn", "~/.config/yarn/global/node_modules"}, []string{"bin", ".bin"}, ""},
		{"~/.opencode", unix, []string{"~/.opencode"}, []string{"bin"}, ""}, // OpenCode's own installer
		{"~/.local/bin", unix, []string{"~/.local"}, []string{"bin"}, ""},
		{"~/bin", unix, []string{"~"}, []string{"bin"}, ""},
		{"Scoop", windows, []string{"$SCOOP", "~/scoop"}, []string{"shims"}, ""},
		{"Homebrew", darwin, []string{"/opt/homebrew", "/usr/local"}, []string{"bin"}, ""},
		{"Homebrew", linux, []string{"/home/linuxbrew/.linuxbrew", "~/.linuxbrew"}, []string{"bin"}, ""},
		{"/usr/local/bin", linux, []string{"/usr/local"}, []string{"bin"}, ""},
		{"/snap/bin", linux, []string{"/snap"}, []string{"bin"}, ""},
		{"/usr/bin", unix, []string{"/usr", "/"}, []string{"bin"}, ""},
	}
}

// NPMPrefix is the root that the person's .npmrc names as npm's prefix.
const NPMPrefix = "$.npmrc prefix"
