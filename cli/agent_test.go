package cli

import "testing"

func TestAgentTakesNoArguments(t *testing.T) {
	if code := Agent([]string{"--help"}); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}
