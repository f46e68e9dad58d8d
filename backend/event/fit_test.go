package event

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func size(t *testing.T, v any) int {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(b)
}

// servers are the built-in one and n of the person's, each as long as it gets.
func servers(n int) []Server {
	long := strings.Repeat("long \x01 ünï ", 40)
	count, total := 128, 123456
	times := Times{1796044407995, 1796044407995, 1796044407995, 1796044407995, 1796044407995, 1796044407995, 1796044407995, 1796044407995, 1796044407995}
	out := []Server{{
		Name: "kandev", Source: "builtin", Transport: "http", Target: "http://127.0.0.1:41885", Status: "active", Protocol: "2025-06-18",
		Client: "claude-code 2.1.318", ToolCount: &count, Stored: 128, Truncated: true, TokensTotal: &total, TokensCover: 128,
		Method: "o200k_base:mcp-tool-json-v1", Times: times,
	}}
	for i := range n {
		status := "delivered"
		if i == n-1 {
			status = "failed"
		}
		out = append(out, Server{
			Name: fmt.Sprint("server-", i, long), Source: "person", Transport: "stdio", Target: long, Status: status,
			Reason: long, Summary: long, Times: times,
		})
	}
	return out
}

// TestFit: every view fits its bound, the built-in server is whole in it, and
// a server that needs a look is not among those left out.
func TestFit(t *testing.T) {
	for _, n := range []int{0, 1, 3, 12, 60, 500} {
		v := View{Attachment: &Attachment{Session: "s_aaaaaaaaaaaaaaaa", Attempt: "a_aaaaaaaaaaaaaaaa", Servers: servers(n)}}
		for _, limit := range []int{MaxView, MaxSummary} {
			got := v.Fit(limit)
			if size(t, got) > limit {
				t.Errorf("%d servers: %d bytes, limit %d", n, size(t, got), limit)
			}
			if s := got.Attachment.Servers; size(t, s[0]) != size(t, v.Attachment.Servers[0]) || n > 0 && s[len(s)-1].Status != "failed" {
				t.Errorf("%d servers, limit %d: %+v", n, limit, s)
			}
		}
		if len(v.Attachment.Servers) != n+1 || n > 0 && len(v.Attachment.Servers[1].Reason) < 200 {
			t.Fatal("Fit changed the view it was given")
		}
	}
	huge := strings.Repeat("\x00", 64<<10)
	for _, v := range []View{
		{Session: &Session{Reason: huge, AgentName: huge}},
		{Project: &Project{Name: huge, Path: huge}},
		{Notice: &Notice{Text: huge}},
		{Quit: &QuitRequest{Agents: strings.Split(strings.Repeat(huge[:200]+" ", 400), " ")}},
		{Attachment: &Attachment{Servers: []Server{{Name: huge, Target: huge, Reason: huge, Summary: huge, Client: huge}}}},
	} {
		if n := size(t, v.Fit(MaxView)); n > MaxView {
			t.Errorf("%d bytes", n)
		}
	}
}

// TestLeftOutIsSeen: a window can tell a summary that left rows or facts out from
// a whole one: one of the person's rows has no time but that of its delivery.
func TestLeftOutIsSeen(t *testing.T) {
	for n := 1; n < 100; n++ {
		v := View{Attachment: &Attachment{Session: "s_aaaaaaaaaaaaaaaa", Attempt: "a_aaaaaaaaaaaaaaaa", Servers: servers(n)}}
		for i := range v.Attachment.Servers[1:] { // as a person's servers are
			s := &v.Attachment.Servers[i+1]
			s.Name, s.Target, s.Reason, s.Summary = fmt.Sprint("server-", i), "npx", "", ""
			s.Times = Times{Configured: 1796044407995, Delivered: 1796044407995, Accepted: 1796044407995, Observed: 1796044407995}
		}
		for _, limit := range []int{MaxView, MaxSummary} {
			got, bare := v.Fit(limit).Attachment.Servers, false
			for _, s := range got[1:] {
				bare = bare || s.Times == Times{Delivered: s.Times.Delivered}
			}
			if whole := size(t, got) == size(t, v.Attachment.Servers); whole == bare {
				t.Errorf("%d servers, limit %d: %d left, whole %v, a bare one %v", n, limit, len(got)-1, whole, bare)
			}
		}
	}
}

// TestSnapshotOf200: 200 sessions with their tasks and attachments in 512 KiB.
func TestSnapshotOf200(t *testing.T) {
	s := NewStream("e")
	for i := range 200 {
		id := fmt.Sprint("s_aaaaaaaaaaaaa", i)
		s.Keep(View{Task: &Task{ID: fmt.Sprint("t_", i), Project: "p", Title: strings.Repeat("title ", 10), Step: "review"}})
		s.Keep(View{Session: &Session{ID: id, State: "interrupted", Reason: "Kandev ended while the agent was running.", AgentName: "Claude Code 2.1.318"}})
		s.Keep(View{Attachment: &Attachment{Session: id, Servers: servers(60)}})
	}
	if n := size(t, s.Snapshot()); n > 512<<10 {
		t.Errorf("%d KiB", n>>10)
	}
}
