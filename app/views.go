package app

import (
	"kandev/backend/event"
)

// Snapshot is everything the window needs to draw its frame, read under the
// lock that publishes. At most 2 KiB per session. Times are Unix milliseconds
// in every view; text is plain unless said otherwise.
type Snapshot struct {
	Epoch       string             `json:"epoch"`
	Seq         uint64             `json:"seq"`
	Version     string             `json:"version"`
	Platform    string             `json:"platform"`  // runtime.GOOS
	FirstRun    string             `json:"first_run"` // session to open on the very first start, else ""
	Projects    []event.Project    `json:"projects"`
	Tasks       []event.Task       `json:"tasks"`
	Sessions    []event.Session    `json:"sessions"`
	Attachments []event.Attachment `json:"attachments"`
	Questions   []event.Question   `json:"questions"`   // open ones
	Permissions []event.Permission `json:"permissions"` // open ones
	Notices     []event.Notice     `json:"notices"`
	Quit        *event.QuitRequest `json:"quit,omitempty"` // while the person is asked
	Settings    Settings           `json:"settings"`
	PluginsRev  uint64             `json:"plugins_rev"` // another one than before: pull Plugins again
}

// Settings are the person's choices about the app.
type Settings struct {
	Theme         string `json:"theme"` // "", "light", "dark"
	LogLevel      string `json:"log_level"`
	LettersOff    bool   `json:"letters_off"`
	ContextWindow int    `json:"context_window"`
	AskOwnTools   bool   `json:"ask_own_tools,omitempty"` // asked before our own harmless tools too

	PreambleOff []string `json:"preamble_off"` // ids of agents that are not told what Kandev's tools are for
}

// Transcript is one page of a session's items newer than a revision, by number.
type Transcript struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"` // ask again with this one
	More     bool   `json:"more"`     // another page is there already
	Items    []Item `json:"items"`
}

// Item is one row of a conversation. Text of a message or thought is Markdown.
type Item struct {
	Number    int64       `json:"number"`
	Revision  int64       `json:"revision"`
	Kind      string      `json:"kind"` // session.ItemKind
	Text      string      `json:"text,omitempty"`
	Ref       string      `json:"ref,omitempty"`
	Tool      *ToolCall   `json:"tool,omitempty"`
	Plan      []PlanEntry `json:"plan,omitempty"`
	Raw       string      `json:"raw,omitempty"`
	Cut       bool        `json:"cut,omitempty"`
	At        int64       `json:"at"`
	UpdatedAt int64       `json:"updated_at"`
}

// ToolCall is a tool call as the agent showed it. Input is JSON text.
type ToolCall struct {
	CallID string   `json:"call_id"`
	Title  string   `json:"title"`
	Name   string   `json:"name,omitempty"`
	Kind   string   `json:"kind,omitempty"`
	Status string   `json:"status"`
	Input  string   `json:"input,omitempty"`
	Output string   `json:"output,omitempty"`
	Diffs  []Diff   `json:"diffs,omitempty"`
	Paths  []string `json:"paths,omitempty"`

	Terminals []Terminal `json:"terminals,omitempty"`

	Started  int64 `json:"started"`
	Finished int64 `json:"finished,omitempty"`
}

// Terminal is a command that the agent ran in a terminal of ours. Without a
// command there was none of this id; without ended it still runs.
type Terminal struct {
	ID      string `json:"id"`
	Command string `json:"command,omitempty"`
	Output  string `json:"output,omitempty"` // the end of it, escape sequences included
	Cut     bool   `json:"cut,omitempty"`    // the beginning of the output is missing
	Ended   bool   `json:"ended"`
	Code    *int   `json:"code,omitempty"`
	Signal  string `json:"signal,omitempty"`
}

// Diff is one file change; Old is absent for a new file.
type Diff struct {
	Path string  `json:"path"`
	Old  *string `json:"old,omitempty"`
	New  string  `json:"new"`
}

// PlanEntry is one line of an agent's plan.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority,omitempty"`
	Status   string `json:"status"`
}

// Question is one bundle with its content.
type Question struct {
	ID        string         `json:"id"`
	Session   string         `json:"session"`
	Context   string         `json:"context,omitempty"`
	Questions []QuestionPart `json:"questions"`
	State     string         `json:"state"` // question.State
	Reason    string         `json:"reason,omitempty"`
	Answers   []Answer       `json:"answers"`
	Revision  int64          `json:"revision"`
	AskedAt   int64          `json:"asked_at"`
	Deadline  int64          `json:"deadline"`
	EndedAt   int64          `json:"ended_at,omitempty"`
}

// QuestionPart is one of the questions of a bundle; without options a free
// text is asked for.
type QuestionPart struct {
	ID       string           `json:"id"`
	Title    string           `json:"title,omitempty"`
	Prompt   string           `json:"prompt"`
	Options  []QuestionOption `json:"options"`
	Multiple bool             `json:"multiple"`
}

// QuestionOption is one choice.
type QuestionOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Answer is what was chosen or written for one question.
type Answer struct {
	Question string   `json:"question"`
	Chosen   []string `json:"chosen"`
	Text     string   `json:"text,omitempty"`
}

// Permission is one permission request with its content. Input is JSON text.
type Permission struct {
	ID       string             `json:"id"`
	Session  string             `json:"session"`
	CallID   string             `json:"call_id"`
	Title    string             `json:"title"`
	Kind     string             `json:"kind,omitempty"`
	Input    string             `json:"input,omitempty"`
	Options  []PermissionOption `json:"options"`
	State    string             `json:"state"` // permission.State
	Chosen   string             `json:"chosen,omitempty"`
	Reason   string             `json:"reason,omitempty"`
	ByRule   bool               `json:"by_rule"`
	Revision int64              `json:"revision"`
	AskedAt  int64              `json:"asked_at"`
	EndedAt  int64              `json:"ended_at,omitempty"`
}

// PermissionOption is one answer the agent offers.
type PermissionOption struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// NewSession is what the dialog sends. Prompt and Title may be empty.
type NewSession struct {
	Project  string `json:"project"`
	Agent    string `json:"agent"`
	Title    string `json:"title"`
	Prompt   string `json:"prompt"`
	Executor string `json:"executor,omitempty"` // "local", "worktree"; "" = local
}

// Storage says where the data is and how large. All sizes are bytes.
type Storage struct {
	Folder    string        `json:"folder"`
	Bytes     int64         `json:"bytes"`     // of all files
	Worktrees int64         `json:"worktrees"` // of them, in worktrees of sessions
	Memory    bool          `json:"memory"`    // nothing is saved
	Projects  []ProjectSize `json:"projects"`
	Broken    []string      `json:"broken"` // names of databases that were set aside
	Aside     int64         `json:"aside"`  // of their files
}

// ProjectSize is what of a project is stored.
type ProjectSize struct {
	ID       string `json:"id"`
	Bytes    int64  `json:"bytes"`
	Sessions int    `json:"sessions"`
}
