package session

import (
	"encoding/json"
	"time"
)

// ItemKind is the sort of a transcript item.
type ItemKind string

// Item kinds. An update of a kind we do not know is kept as ItemUnknown and
// never turned into another kind.
const (
	ItemPrompt     ItemKind = "prompt"     // what the person wrote
	ItemPreamble   ItemKind = "preamble"   // what Kandev told the agent
	ItemMessage    ItemKind = "message"    // agent_message_chunk, joined
	ItemThought    ItemKind = "thought"    // agent_thought_chunk, joined
	ItemTool       ItemKind = "tool"       // tool_call with its updates
	ItemPlan       ItemKind = "plan"       // plan, replaced as a whole
	ItemNotice     ItemKind = "notice"     // a sentence of ours
	ItemQuestion   ItemKind = "question"   // refers to a question by ID
	ItemPermission ItemKind = "permission" // refers to a permission by ID
	ItemUnknown    ItemKind = "unknown"    // another session/update, raw
)

// RefWaiting is the Ref of a prompt that no agent was sent yet: its session
// could not start so far. The next start sends it.
const RefWaiting = "waiting"

// Item is one row of a transcript. Number is its place; Revision grows with
// every change of any item of the session, so that a reader asks for what is
// newer than it has.
type Item struct {
	Number    int64
	Revision  int64
	Kind      ItemKind
	Text      string    // Markdown for messages, plain for all others
	Ref       string    // question or permission id, ACP message id, RefWaiting
	Tool      *ToolItem // ItemTool only
	Plan      []PlanEntry
	Raw       json.RawMessage // ItemUnknown: the update as the agent sent it, at most 64 KiB
	Cut       bool            // Text or tool content was longer than the limit
	At        time.Time
	UpdatedAt time.Time
}

// Bounds of one transcript item; beyond them the text is cut and marked.
const (
	MaxText       = 2 << 20
	MaxToolOutput = 1 << 20
	MaxTerminal   = 64 << 10 // output of one terminal; the end of it is kept
	MaxRaw        = 64 << 10
)

// ToolItem is a tool call as the agent showed it over ACP.
type ToolItem struct {
	CallID string          `json:"call_id"`
	Title  string          `json:"title"`
	Name   string          `json:"name,omitempty"` // programmatic name, when the agent sends one
	Kind   string          `json:"kind,omitempty"` // read, edit, delete, move, search, execute, think, fetch, other
	Status string          `json:"status"`         // pending, in_progress, completed, failed, cancelled
	Input  json.RawMessage `json:"input,omitempty"`
	Output string          `json:"output,omitempty"` // text content, joined
	Diffs  []Diff          `json:"diffs,omitempty"`
	Paths  []string        `json:"paths,omitempty"`

	Terminals []Terminal `json:"terminals,omitempty"` // commands that ran in terminals of ours

	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished,omitempty"`
}

// Terminal is a command that the agent ran in a terminal of ours, as far as it
// went. Without Ended it still runs. An ended one whose end is not known has
// neither Code nor Signal.
type Terminal struct {
	ID      string `json:"id"`
	Command string `json:"command,omitempty"` // as one line; "" = there was no terminal of this id
	Output  string `json:"output,omitempty"`  // the last MaxTerminal bytes, as the command wrote them, escapes included
	Cut     bool   `json:"cut,omitempty"`     // the beginning of the output is missing
	Ended   bool   `json:"ended,omitempty"`
	Code    *int   `json:"code,omitempty"`   // exit code
	Signal  string `json:"signal,omitempty"` // what ended it, such as "SIGKILL"
}

// Diff is one file change inside a tool call.
type Diff struct {
	Path string  `json:"path"`
	Old  *string `json:"old,omitempty"` // nil = a new file
	New  string  `json:"new"`
}

// PlanEntry is one line of the agent's plan.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority,omitempty"`
	Status   string `json:"status"`
}
