package backend

import "testing"

// TestCountingEndsWithTheApp: an app that was killed while it counted does not
// say after the next start that it still does.
func TestCountingEndsWithTheApp(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home)
	id := a.FirstRun()
	a.counted(id)
	a.quit()
	a.exec(a.foreign(), `UPDATE attempt SET body = json_set(body, '$.servers[0].counting', json('true'))`)
	b := openApp(t, home)
	if b.builtin(id).Counting {
		t.Error("the summary says that it counts")
	}
	if b.history(id).Current().Servers[0].Counting || b.builtin(id).Counting {
		t.Error("the attachment says that it counts")
	}
}
