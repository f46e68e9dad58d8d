//go:build dev

package app

// devBuild is true in a build tagged `dev`: the page then also comes from a loopback
// dev server. Such a build has no protection against other local users and is never shipped.
const devBuild = true
