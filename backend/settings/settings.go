// Package settings holds what a person chose about the app itself. Pure.
package settings

// Settings are the person's choices. The zero value is the default.
type Settings struct {
	Theme         string   `json:"theme"`          // "" = as the system, "light", "dark"
	LogLevel      string   `json:"log_level"`      // "" = info
	LettersOff    bool     `json:"letters_off"`    // single-letter keys do nothing
	ContextWindow int      `json:"context_window"` // tokens that shares are shown of; 0 = 200,000
	PreambleOff   []string `json:"preamble_off"`   // agent ids that get no preamble
	AskValues     bool     `json:"ask_values"`     // values of the person's servers are asked for at each start and not stored
	AskOwnTools   bool     `json:"ask_own_tools"`  // the person is asked before our own tools too, those that destroy nothing
}
