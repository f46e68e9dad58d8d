package event

// MaxView bounds the JSON of one event's view, in bytes.
const MaxView = 8 << 10

// Event is one step of the stream.
type Event struct {
	Epoch string `json:"epoch"`
	Prev  uint64 `json:"prev"`
	Seq   uint64 `json:"seq"`
	View  View   `json:"view"`
}

// View is a whole small view of one subject; exactly one field is set.
type View struct {
	Project     *Project     `json:"project,omitempty"`
	ProjectGone string       `json:"project_gone,omitempty"`
	Task        *Task        `json:"task,omitempty"`
	TaskGone    string       `json:"task_gone,omitempty"`
	Session     *Session     `json:"session,omitempty"`
	SessionGone string       `json:"session_gone,omitempty"`
	Attachment  *Attachment  `json:"attachment,omitempty"`
	Transcript  *Transcript  `json:"transcript,omitempty"`
	Question    *Question    `json:"question,omitempty"`
	Permission  *Permission  `json:"permission,omitempty"`
	Notice      *Notice      `json:"notice,omitempty"`
	NoticeGone  string       `json:"notice_gone,omitempty"`
	Quit        *QuitRequest `json:"quit,omitempty"`
	Plugins     *Plugins     `json:"plugins,omitempty"`
}

// Plugins says that the installed plugins, their states or their last runs
// changed; the window pulls them when it shows them.
type Plugins struct {
	Revision uint64 `json:"revision"` // grows with every change
}

// Project is a row of the project list. Times are Unix milliseconds.
type Project struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Path    string `json:"path"`
	Agent   string `json:"agent"`   // last used here, "" = none yet
	Missing bool   `json:"missing"` // the folder is not there
	Sample  bool   `json:"sample"`
	UsedAt  int64  `json:"used_at"`
}

// Task is a row of the rail and the board.
type Task struct {
	ID       string `json:"id"`
	Project  string `json:"project"`
	Parent   string `json:"parent,omitempty"`
	Title    string `json:"title"`
	Step     string `json:"step"`
	Seq      int64  `json:"seq"`
	Archived bool   `json:"archived"`
}

// Session is a row of the rail and the head of a conversation.
type Session struct {
	ID        string `json:"id"`
	Project   string `json:"project"`
	Task      string `json:"task"`
	Agent     string `json:"agent"`
	AgentName string `json:"agent_name"`     // for a person, with the version when known
	Embedded  bool   `json:"embedded"`       // the agent is our own and has no model: a prompt is a call
	Gone      bool   `json:"gone,omitempty"` // the agent is not there any more; Reason says so
	Executor  string `json:"executor"`
	State     string `json:"state"`   // session.State
	Waiting   int    `json:"waiting"` // open questions and permissions
	Reason    string `json:"reason,omitempty"`
	Login     bool   `json:"login,omitempty"` // the agent wants one: the last start failed for it, or a start carries it out
	Asks      bool   `json:"asks,omitempty"`  // the start waits for values: ValuesAsked
	Archived  bool   `json:"archived"`
	Seq       int64  `json:"seq"`
	Revision  int64  `json:"revision"` // newest transcript revision
	Since     int64  `json:"since"`    // when the state was entered, Unix ms
	CreatedAt int64  `json:"created_at"`
}

// Attachment is the summary of a session's current attempt. No definitions.
type Attachment struct {
	Session    string   `json:"session"`
	Attempt    string   `json:"attempt"` // "" before the first one
	Number     int      `json:"number"`  // of the session's attempts, from 1
	Live       bool     `json:"live"`    // the agent runs; false = everything is last observed
	StartedAt  int64    `json:"started_at,omitempty"`
	EndedAt    int64    `json:"ended_at,omitempty"`
	EndReason  string   `json:"end_reason,omitempty"`
	CatalogRev uint64   `json:"catalog_rev"`
	Servers    []Server `json:"servers"`
}

// Server is one server of an attempt, without definitions.
type Server struct {
	Name         string `json:"name"`
	Source       string `json:"source"` // builtin, person
	Transport    string `json:"transport,omitempty"`
	Target       string `json:"target,omitempty"`
	Status       string `json:"status"` // attach.Status
	Reason       string `json:"reason,omitempty"`
	Summary      string `json:"summary,omitempty"`
	Protocol     string `json:"protocol,omitempty"`
	Client       string `json:"client,omitempty"`
	ToolCount    *int   `json:"tool_count,omitempty"` // absent = unknown
	Stored       int    `json:"stored"`
	Truncated    bool   `json:"truncated"`
	TokensTotal  *int   `json:"tokens_total,omitempty"`
	TokensCover  int    `json:"tokens_cover"`
	Method       string `json:"method,omitempty"`
	Counting     bool   `json:"counting"`
	ToolsChanged bool   `json:"tools_changed"`
	Times        Times  `json:"times"`
}

// Times are Unix milliseconds; absent = not seen.
type Times struct {
	Configured int64 `json:"configured,omitempty"`
	Delivered  int64 `json:"delivered,omitempty"`
	Accepted   int64 `json:"accepted,omitempty"`
	Connected  int64 `json:"connected,omitempty"`
	Listed     int64 `json:"listed,omitempty"`
	Used       int64 `json:"used,omitempty"`
	Closed     int64 `json:"closed,omitempty"`
	Failed     int64 `json:"failed,omitempty"`
	Observed   int64 `json:"observed,omitempty"`
}

// Transcript says that items newer than what a reader has exist.
type Transcript struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"`
}

// Question says that a question exists and where it stands; the window pulls
// its content.
type Question struct {
	ID       string `json:"id"`
	Session  string `json:"session"`
	Title    string `json:"title"` // the session's title
	State    string `json:"state"`
	Revision int64  `json:"revision"`
}

// Permission is the same for a permission request.
type Permission struct {
	ID       string `json:"id"`
	Session  string `json:"session"`
	Title    string `json:"title"`
	State    string `json:"state"`
	Revision int64  `json:"revision"`
}

// Notice is a sentence across the window that stays until its cause is gone.
// Action is the id of what its button does: "", "open_data_folder",
// "delete_broken", "choose_folder", "unclean_report".
type Notice struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"` // info, warning, error
	Text   string `json:"text"`
	Action string `json:"action,omitempty"`
}

// QuitRequest asks the person before live agents are stopped; without agents
// the question is withdrawn.
type QuitRequest struct {
	Agents []string `json:"agents"` // names, as shown in the rail
}
