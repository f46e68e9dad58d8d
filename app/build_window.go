//go:build !dev

package app

// devBuild is false in every build that may be shipped; see build_dev.go.
const devBuild = false
