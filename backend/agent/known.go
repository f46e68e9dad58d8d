package agent

// Known lists the agents of this release, the embedded one first. What a
// client does with names was measured; MeasuredWith says on which version.
func Known() []Definition {
	return []Definition{toolbench(), claude(), codex(), gemini(), opencode(), auggie(), copilot(), qwen()}
}

// ByID finds a known agent.
func ByID(id string) (Definition, bool) {
	for _, d := range Known() {
		if d.ID == id {
			return d, true
		}
	}
	return Definition{}, false
}
