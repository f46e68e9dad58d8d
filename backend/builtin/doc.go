// Package builtin holds the tools that Kandev itself serves to every agent:
// one Go file and one Markdown description each, and the preamble that teaches
// them. A tool here is data plus a handler over the functions of [Host]; what
// happens is the backend's.
//
// Names are `<verb>_<noun>_kandev`, at most 50 characters of [a-z0-9_], so
// that no client truncates or renames one. Every served definition has a
// byte-exact snapshot in testdata, because its tokens are counted.
package builtin
