package agent

// Credentials says where an agent looks for a login, as read in the program of
// the version that its capabilities were measured with. What is there is never
// read: that it is there is all that counts, and an expired login looks the same.
type Credentials struct {
	Env   []string // variables: one with a value is a login
	Files []CredentialFile
	Only  bool // there is no other place, so that nothing found means logged out
}

// CredentialFile is a file in a folder that a variable names, else in Folder.
type CredentialFile struct {
	Variable string // "" = Folder always
	Folder   string // begins with ~
	Name     string // with slashes
}

// LoginState is what is known of an agent's login without asking anybody.
type LoginState string

// The states. Unknown is an honest answer: keychains and the agents' own
// settings are not looked into.
const (
	LoginNone    LoginState = "none"    // it needs none
	LoginFound   LoginState = "found"   // what it logs in with is there; it may have expired
	LoginMissing LoginState = "missing" // it said so itself, or nothing is in the only places it looks at
	LoginUnknown LoginState = "unknown"
)
