package app

import (
	"kandev/backend"
	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/event"
)

// attachmentView turns a history into what the explorer shows. It depends on
// nothing but its arguments, so that its bytes are the same after a restart.
func attachmentView(id string, h attach.History, def agent.Definition, live bool) Attachment {
	v := Attachment{
		Session: id, Live: live, CatalogRev: h.CatalogRev, Agent: namesView(def),
		Attempts: []Attempt{}, Uses: []Use{}, Evidence: []Evidence{},
	}
	for _, a := range h.Attempts {
		v.Attempts = append(v.Attempts, attemptView(a))
	}
	current := h.Current()
	if current == nil {
		return v
	}
	for _, s := range current.Servers {
		if s.Catalog != nil {
			v.Catalog = catalogView(*s.Catalog)
		}
	}
	for _, u := range current.Uses {
		v.Uses = append(v.Uses, Use{Tool: u.Tool, Calls: u.Calls, Errors: u.Errors, Last: unixMilli(u.Last)})
	}
	v.OtherCalls = current.OtherCalls
	for _, e := range current.Evidence {
		v.Evidence = append(v.Evidence, Evidence{Kind: string(e.Kind), Server: e.Server, At: unixMilli(e.At), Reason: e.Reason})
	}
	return v
}

func namesView(def agent.Definition) AgentNames {
	c := def.Capabilities
	return AgentNames{
		ID: def.ID, Name: def.Name, Form: c.ModelName, Limit: c.NameLimit, Beyond: c.BeyondLimit,
		Defers: c.DefersTools, KeepsList: c.IgnoresListChanged, MeasuredWith: c.MeasuredWith, Client: clientView(def.Facts),
	}
}

func clientView(f agent.Facts) Client {
	return Client{
		Characters: f.Characters, Description: f.Description, Rewrites: f.Rewrites, RewriteKeys: append([]string{}, f.RewriteKeys...),
		TypeList: f.TypeList, Deferred: f.Deferred, Values: f.Values, Unconnected: f.Unconnected,
	}
}

func attemptView(a attach.Attempt) Attempt {
	v := Attempt{
		ID: a.ID, Reason: a.Reason, StartedAt: unixMilli(a.StartedAt), EndedAt: unixMilliOf(a.EndedAt),
		EndReason: a.EndReason, Superseded: a.Superseded, Servers: []event.Server{},
	}
	for _, s := range a.Servers {
		v.Servers = append(v.Servers, backend.ServerView(s))
	}
	return v
}

func catalogView(c catalog.Catalog) *Catalog {
	v := &Catalog{
		Entries: make([]Entry, 0, len(c.Entries)), Total: c.Total, Unnamed: c.Unnamed, Truncated: c.Truncated,
		TokensTotal: c.TokensTotal, TokensCover: c.TokensCover, Method: c.Method, Compared: c.Compared,
	}
	for _, e := range c.Entries {
		row := Entry{
			Served: e.Served, Canonical: e.Canonical, Source: e.Source.Kind, Plugin: e.Source.Plugin,
			PluginName: e.Source.PluginName, Original: e.Source.Tool,
			Description: e.Description, HasDescription: e.HasDescription, DescriptionCut: e.DescriptionCut,
			InputSchema: e.InputSchema, SchemaAbsent: string(e.SchemaAbsent), SchemaBytes: e.SchemaBytes,
			Estimate: e.Estimate, Mark: e.Mark,
		}
		if row.Canonical == "" {
			row.Canonical = e.Served
		}
		if e.Parts != nil {
			row.Parts = &Parts{Name: e.Parts.Name, Description: e.Parts.Description, InputSchema: e.Parts.InputSchema}
		}
		v.Entries = append(v.Entries, row)
	}
	return v
}
