// Package app is the window: it is the only package that imports Wails.
//
// It binds the methods that the page may call, turns nouns into views (plain strings, whole
// numbers and lists, so that the generated TypeScript says what really travels), pushes events
// to the page and owns the native parts: dialogs, the navigation guard, opening links.
//
// Guarantees:
//
//   - Every bound method demands the session token as its first argument, recovers from panics
//     and answers errors as one JSON object in the error's text.
//   - The page runs under a Content Security Policy without inline script, cannot leave the app's
//     own origin, and frames get no bridge to Go.
//   - Built with the tag `bindings` (Wails' generator runs such a build) nothing here touches a
//     lock, a file or the network.
//
// It holds no state of the product and makes no decisions; package backend does both.
package app
