// Package secret keeps the values a person trusted the app with: in the
// system's keychain, else in a private file.
//
// The keychain is asked with a limit of three seconds. One that is missing,
// locked or silent is not asked again in this life of the app: values then go
// to a file with mode 0600, which is not encrypted, and [Store.Place] says so.
// That a caller waits no longer is none of these.
// One that refuses a value is read, and takes no further ones.
// A value is found again wherever it was put. Names are ours and no secret;
// values are never logged and are in no error.
//
// It does not ask the person for a password and keeps nothing in memory.
package secret
