package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kandev/backend/agent"
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

// TestRuleByCallID: Gemini CLI sends no name, but begins the id of each call
// with it. Only an agent of which that is known is believed.
func TestRuleByCallID(t *testing.T) {
	const ours = "mcp__kandev__list_tasks_kandev"
	for name, c := range map[string]struct {
		manner, id string
		other      string // name of a server of the person's
		allowed    bool
	}{
		"the name and the rest":         {manner: mannerNames, id: ours + "__7", allowed: true},
		"an agent that is not known to": {manner: mannerPlain, id: ours + "__7"},
		"a longer name":                 {manner: mannerNames, id: ours + "_x__7"},
		"the name alone":                {manner: mannerNames, id: ours},
		"the name later on":             {manner: mannerNames, id: "mcp__other__x__" + ours + "__7"},
		"a server that could name it":   {manner: mannerNames, id: ours + "__7", other: "kandev__list"},
		"a name that begins with ours":  {manner: mannerNames, id: ours + "__evil__x__7", other: "kandev__list_tasks_kandev__evil"},
		"a server of another name":      {manner: mannerNames, id: ours + "__7__8", other: "notes", allowed: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := fakeApp(t)
			if c.other != "" {
				server := ServerChange{Server: agent.OwnServer{Agent: "fake-" + c.manner, Name: c.other, Transport: "stdio", Command: os.Args[0], Args: []string{"server", filepath.Join(t.TempDir(), "log")}}}
				a.saveServer(server)
			}
			id := a.begin(c.manner, fmt.Sprintf(`permitown {"ID":%q,"Kind":"allow_once"}`, c.id))
			if !c.allowed {
				if err := a.Permit(a.openPermits(1)[0], "no"); err != nil {
					t.Fatal(err)
				}
				a.said(id, "answer selected:no")
			} else {
				a.said(id, "answer selected:once")
			}
		})
	}
}

// TestRuleOfAnEarlierTurn: an agent that counts its calls anew in each turn asks
// for a command under the id of a call of ours that ended before. That proves
// nothing, and the command has a row of its own.
func TestRuleOfAnEarlierTurn(t *testing.T) {
	for _, first := range []string{`{"Called":"list_tasks_kandev","Kind":"allow_once"}`, `{"Name":"mcp__kandev__list_tasks_kandev","Kind":"allow_once"}`} {
		a := fakeApp(t)
		id := a.begin(mannerPlain, "permitown "+first)
		a.said(id, "answer selected:once")
		a.inState(id, session.Ready)
		a.say(id, `permitown {"Title":"rm -rf .","Kind":"allow_once"}`)
		if err := a.Permit(a.openPermits(1)[0], "no"); err != nil {
			t.Fatal(err)
		}
		a.said(id, "answer selected:no")
		a.inState(id, session.Ready)
		var titles []string
		for _, i := range a.items(id) {
			if i.Kind == session.ItemTool {
				titles = append(titles, i.Tool.Title+"|"+i.Tool.Name)
			}
		}
		if len(titles) != 2 || titles[1] != "rm -rf .|" {
			t.Errorf("%q", titles)
		}
	}
}
