package backend

import (
	"fmt"
	"testing"

	"kandev/backend/permission"
	"kandev/backend/session"
	"kandev/backend/settings"
)

// TestRule: a request that is provably for one of our own tools is answered by
// rule with the option that allows once; every other one is a card.
func TestRule(t *testing.T) {
	const ours = "mcp__kandev__list_tasks_kandev"
	for name, c := range map[string]struct {
		prompt   string
		settings settings.Settings
		allowed  bool
	}{
		"by name":              {prompt: `{"Name":"` + ours + `","Kind":"allow_once"}`, allowed: true},
		"by its call":          {prompt: `{"Called":"list_tasks_kandev","Kind":"allow_once"}`, allowed: true},
		"by title":             {prompt: `{"Title":"` + ours + `","Kind":"allow_once"}`},
		"by canonical name":    {prompt: `{"Name":"list_tasks_kandev","Kind":"allow_once"}`},
		"of another server":    {prompt: `{"Name":"mcp__other__list_tasks_kandev","Kind":"allow_once"}`},
		"a call we never got":  {prompt: `{"Called":"no_such_kandev","Kind":"allow_once"}`},
		"no option for once":   {prompt: `{"Name":"` + ours + `","Kind":"allow_always"}`},
		"the person is asked":  {prompt: `{"Name":"` + ours + `","Kind":"allow_once"}`, settings: settings.Settings{AskOwnTools: true}},
		"a tool not served":    {prompt: `{"Name":"mcp__kandev__delete_all_kandev","Kind":"allow_once"}`},
		"the name as a prefix": {prompt: `{"Name":"` + ours + `_x","Kind":"allow_once"}`},
	} {
		t.Run(name, func(t *testing.T) {
			a := fakeApp(t)
			a.SaveSettings(c.settings)
			id := a.begin(mannerPlain, "permitown "+c.prompt)
			if !c.allowed {
				if err := a.Permit(a.openPermits(1)[0], "no"); err != nil {
					t.Fatal(err)
				}
				a.said(id, "answer selected:no")
			} else {
				a.said(id, "answer selected:once")
			}
			a.inState(id, session.Ready)
			item, ok := a.last(id, session.ItemPermission)
			if !ok {
				t.Fatal("no row")
			}
			r := a.request(item.Ref)
			if r.ByRule != c.allowed || r.State != permission.Selected || fmt.Sprint(a.row(id).Waiting) != "0" {
				t.Errorf("%+v", r)
			}
		})
	}
}
