// Command kandev-desktop runs coding agents over ACP and shows which MCP tools each of them was really given.
//
// Without a subcommand it opens the window. With one (`kandev-desktop help` lists them) it does that
// and exits: our own children, the guard and the embedded agent, are this same binary started again,
// so the arguments are looked at before anything else and no window library is set up for them.
//
// This package decides nothing but that; package app is the window, package cli the subcommands.
package main

import (
	"embed"
	"os"

	"kandev/app"
	"kandev/cli"
)

// The built front end. The folder holds only .gitkeep in a fresh clone, so that vet and test
// need no front-end build; `all:` is what lets that hidden file count.
//
//go:embed all:frontend/dist
var assets embed.FS

// The icon that Linux shows for the window; the other systems take it from the program's package.
//
//go:embed build/icon/kandev-desktop-256.png
var icon []byte

func main() {
	if code, handled := cli.Main(os.Args[1:]); handled {
		os.Exit(code)
	}
	os.Exit(app.Run(assets, icon, cli.Version()))
}
