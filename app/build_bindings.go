//go:build bindings

package app

// bindingsBuild is true in the program that Wails' generator builds and runs to read the bound
// types. Run must then touch no lock, file or network.
const bindingsBuild = true
